import type { Read } from '../database/read.js';
import type { TextLimit, TextRow } from '../database/text-row-query.js';
import type { Prisma } from '../generated/prisma/client.js';
import { type PageSize, toMaxCharacters } from './large-pages.js';

export interface TextRows {
  readonly rows: readonly TextRow[];
  readonly isCut: boolean;
}

interface TextReadOptions extends Pick<TextLimit, 'rowsInPortions'> {
  readonly isPrepared?: boolean;
  readonly size?: PageSize | undefined;
}

/** Reads rows as text, up to the size of a page. */
export async function readTexts(
  read: Read,
  query: Prisma.Sql,
  { isPrepared = false, size, ...portions }: TextReadOptions = {},
): Promise<TextRows> {
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const rows = await read<TextRow>(query, { isPrepared, texts: { characters: toMaxCharacters(size), onCut, ...portions } });
  return { rows, isCut };
}
