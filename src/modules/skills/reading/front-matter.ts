import { parseDocument } from 'yaml';
import { z } from 'zod';
import { checkInput } from '../../../domain/check-input.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { skillBounds, skillDescriptionSchema, skillFile, skillNameSchema } from '../../../domain/skill.ts';
import { findUnstorable } from '../../../domain/storable.ts';
import { refuseSkill } from './skill-refusal.ts';

/** The parts of the file `SKILL.md`. */
export interface Instructions {
  name: string;
  description: string;
  /** All fields as they were given; every scalar is a text. */
  frontMatter: JsonObject;
  body: string;
}

const deepestField = 20;

/** The fields of https://agentskills.io/specification that are checked. Others are kept as they are. */
const fieldsSchema = z.looseObject({
  name: skillNameSchema,
  description: skillDescriptionSchema,
  license: z.string().max(2000).optional(),
  compatibility: z.string().min(1).max(500).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** @throws HoldfastError `INVALID_INPUT` with the fields that are wrong */
export function readInstructions(text: string): Instructions {
  const found = /^---[ \t]*\r?\n(?:(?<yaml>[^]*?)\r?\n)?---[ \t]*(?:\r?\n(?<body>[^]*))?$/u.exec(text);
  if (!found) {
    const message =
      'expected front matter between two lines "---" at the beginning, with a name and a description';
    throw refuseSkill(skillFile, message);
  }
  const { yaml = '', body = '' } = found.groups ?? {};
  const frontMatter = parseFields(yaml);
  const checked = checkInput(fieldsSchema, frontMatter);
  if (!checked.success)
    throw createInvalidInput(
      checked.errors.map(({ field, message }) => ({ field: `${skillFile}: ${field}`, message })),
    );
  const { name, description } = checked.value;
  return { name, description, frontMatter, body: body.trim() };
}

function parseFields(yaml: string): JsonObject {
  if (Buffer.byteLength(yaml) > skillBounds.frontMatterBytes)
    throw refuseSkill(skillFile, `expected at most ${skillBounds.frontMatterBytes} bytes of front matter`);
  const { value, problem } = parseYaml(yaml);
  if (problem !== null) throw refuseSkill(skillFile, `the front matter is not valid YAML: ${problem}`);
  if (!isJsonObject(value)) throw refuseSkill(skillFile, 'expected fields with names as front matter');
  if (isDeeperThan(value, deepestField)) throw refuseSkill(skillFile, 'the front matter is nested too deep');
  const unstorable = findUnstorable(value, skillFile);
  if (unstorable) throw refuseSkill(`${skillFile}: ${unstorable.field}`, unstorable.message);
  return value;
}

/** Without tags, merges and aliases the text cannot grow into something else; `version: 1.0` stays a text. */
function parseYaml(yaml: string): { value: unknown; problem: string | null } {
  const parsed = parseDocument(yaml, {
    schema: 'failsafe',
    customTags: [],
    merge: false,
    prettyErrors: true,
  });
  const [error] = parsed.errors;
  if (error) return { value: null, problem: error.message.split('\n', 1)[0] ?? '' };
  try {
    return { value: JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 0 }) ?? null)), problem: null };
  } catch (error) {
    return { value: null, problem: error instanceof Error ? error.message : String(error) };
  }
}
