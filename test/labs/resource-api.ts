import { expect } from 'vitest';
import type { Resource, ResourceVersion } from '../../src/domain/resource.ts';
import type { Api, CallOptions } from './api-lab.ts';

interface ResourceData {
  resource: Resource;
  resources: Resource[];
  versions: ResourceVersion[];
  nextCursor: string | null;
}

/** Calls `/api/resources` of an API. */
export function openResourceApi(getApi: () => Api) {
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const answer = await getApi().call(method, `/api/resources${path}`, options);
    return { ...answer, data: answer.data as unknown as ResourceData };
  };
  return {
    call,
    create: async (kind: string, attributes: object, options: CallOptions = {}): Promise<Resource> => {
      const { status, data, error } = await call('POST', '', { body: { kind, attributes }, ...options });
      expect({ status, error }).toEqual({ status: 201, error: undefined });
      return data.resource;
    },
    listNames: async (query: string, options: CallOptions = {}): Promise<string[]> => {
      const { data } = await call('GET', `?${query}`, options);
      return data.resources.map(({ name }) => name);
    },
  };
}

/** Expects an answer with an error of this code and status. */
export function expectRefused(
  { status, error }: { status: number; error?: { code: string } },
  code: string,
  expected: number,
): void {
  expect({ status, code: error?.code }).toEqual({ status: expected, code });
}
