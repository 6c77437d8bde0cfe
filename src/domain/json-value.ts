import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';

/** A JSON object of any depth and shape. */
export const jsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'expected a JSON object');

/** Any JSON value. Use only this schema for it, since each schema has its own name in the OpenAPI document. */
export const jsonValueSchema = z.json();
