/** What JSON can say: the documents made here are values, written out by whoever serves them. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}
