/** Reads the first visible sheet of an Excel workbook (ECMA-376) as lines and cells of text. */
import { openZip, readPart, type Zip } from '../../parts/zip-parts.ts'
import { csvLine, type CsvRow } from './csv-rows.ts'
import { type CellFormat, readFormats, shownNumber } from './xlsx-formats.ts'
import { attribute, elements, plainText } from './xlsx-xml.ts'

/** Beyond them nobody keeps players. */
const columnsMax = 100

/** Undefined if the file is no workbook, is damaged, has a password, or is too large. */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<CsvRow[] | undefined> {
  const zip = openZip(bytes)
  const workbook = zip && (await readPart(zip, 'xl/workbook.xml'))
  if (zip === undefined || workbook === undefined) return undefined
  const targets = await readTargets(zip)
  const read = async (about: string) => readPart(zip, targets.get(about) ?? '')
  const [visible] = elements(workbook, 'sheet').filter(
    ({ tag }) => !/hidden/i.test(attribute(tag, 'state') ?? ''),
  )
  const sheet = await read(attribute(visible?.tag ?? '', 'r:id') ?? '')
  if (sheet === undefined) return undefined
  const book: Book = {
    texts: elements((await read('sharedStrings')) ?? '', 'si').map(({ body }) => textOf(body)),
    formats: readFormats((await read('styles')) ?? ''),
    isFrom1904: /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(workbook),
  }
  return rowsOf(sheet, book)
}

type Book = { texts: readonly string[]; formats: readonly CellFormat[]; isFrom1904: boolean }

/** The parts that the workbook refers to, by the id of the reference and by their kind. */
async function readTargets(zip: Zip): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  for (const { tag } of elements((await readPart(zip, 'xl/_rels/workbook.xml.rels')) ?? '', 'Relationship')) {
    const target = attribute(tag, 'Target') ?? ''
    const name = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    targets.set(attribute(tag, 'Id') ?? '', name)
    targets.set((attribute(tag, 'Type') ?? '').split('/').at(-1) ?? '', name)
  }
  return targets
}

/** Rows and cells may lack their numbers, and then follow the one before. */
function rowsOf(sheet: string, book: Book): CsvRow[] {
  const rows: CsvRow[] = []
  let line = 0
  for (const row of elements(sheet, 'row')) {
    line = Number(attribute(row.tag, 'r') ?? line + 1)
    const cells: string[] = []
    let column = -1
    for (const cell of elements(row.body, 'c')) {
      column = columnOf(attribute(cell.tag, 'r')) ?? column + 1
      if (column >= columnsMax) continue
      while (cells.length < column) cells.push('')
      cells[column] = cellText(cell, book).trim()
    }
    if (cells.some((text) => text !== '')) rows.push({ line, text: csvLine(cells), cells })
  }
  return rows
}

/** 27 for `AB4`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText({ tag, body }: { tag: string; body: string }, book: Book): string {
  const type = attribute(tag, 't') ?? 'n'
  if (type === 'inlineStr') return textOf(body)
  const value = plainText(elements(body, 'v')[0]?.body ?? '')
  if (type === 's') return book.texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return value
  return shownNumber(Number(value), book.formats[Number(attribute(tag, 's') ?? 0)] ?? {}, book)
}

/** Text may be in pieces with different fonts. The pronunciation beside Japanese text is no part of it. */
function textOf(xml: string): string {
  const spoken = /<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g
  return elements(xml.replace(spoken, ''), 't')
    .map(({ body }) => plainText(body))
    .join('')
}
