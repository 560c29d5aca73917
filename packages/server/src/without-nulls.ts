import { z } from "zod";

/**
 * Drops null where a schema has an optional field: many JSON libraries write absent fields as null. In an object of several kinds it
 * also drops null in the fields of the other kinds. A field that takes null keeps it, and the schema refuses what is left.
 */
export function withoutNulls(value: unknown, schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return withoutNulls(value, schema.unwrap());
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((each: unknown) => withoutNulls(each, schema.element));
  }
  if (!isObject(value)) return value;
  if (schema instanceof z.ZodDiscriminatedUnion) return withoutNullsOfKind(value, schema);
  if (!(schema instanceof z.ZodObject)) return value;
  const fields = Object.entries(value).flatMap(([name, each]) => {
    const field = fieldOf(schema, name);
    if (field === null) return [[name, each]];
    return isDropped(each, field) ? [] : [[name, withoutNulls(each, field)]];
  });
  return Object.fromEntries(fields);
}

function withoutNullsOfKind(
  value: Record<string, unknown>,
  { options, def }: z.ZodDiscriminatedUnion,
): unknown {
  const kinds = options.filter((option) => option instanceof z.ZodObject);
  const own = kinds.find(
    (kind) => fieldOf(kind, def.discriminator)?.safeParse(value[def.discriminator]).success,
  );
  if (own === undefined) return value;
  const fields = Object.entries(value).filter(
    ([name, each]) =>
      each !== null ||
      fieldOf(own, name) !== null ||
      kinds.every((kind) => fieldOf(kind, name) === null),
  );
  return withoutNulls(Object.fromEntries(fields), own);
}

function fieldOf(schema: z.ZodObject, name: string): z.ZodType | null {
  const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : null;
  return field instanceof z.ZodType ? field : null;
}

function isDropped(value: unknown, field: z.ZodType): boolean {
  return value === null && field.isOptional() && !field.isNullable();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
