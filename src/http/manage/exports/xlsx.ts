import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { xlsxCellLengthMax, xlsxRowsPerSheetMax } from '../../../limits.ts'
import { type Column, inChunks, type Row } from './csv-and-ndjson.ts'

/**
 * A workbook for Excel and other spreadsheets (ECMA-376), written while its rows are read: few of them are in memory. A
 * sheet takes 1,048,575 rows; more go on to the next sheet. Text is never a formula here. Times are in UTC. Amounts of
 * money are numbers that are shown in `currency`.
 */
export function xlsxOf(
  columns: readonly Column[],
  rows: AsyncIterable<Row>,
  {
    currency = null,
    rowsPerSheetMax = xlsxRowsPerSheetMax,
  }: { currency?: string | null; rowsPerSheetMax?: number } = {},
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const source = rows[Symbol.asyncIterator]()
  zip.on('error', (error) => output.destroy(error as Error))
  addPart(zip, '[Content_Types].xml', contentTypes)
  addPart(zip, '_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]))
  addPart(zip, 'xl/styles.xml', stylesWith(currency))
  addSheet(1)
  return output

  function addSheet(number: number): void {
    const lines = sheetLines(columns, source, {
      rowsMax: rowsPerSheetMax,
      onEnd: (isLast) => go(number, isLast),
    })
    const sheet = Readable.from(inChunks(lines))
    output.once('close', () => sheet.destroy())
    zip.addReadStreamLazy(`xl/worksheets/sheet${number}.xml`, (done) => done(null, sheet))
  }

  function go(number: number, isLast: boolean): void {
    if (!isLast) return addSheet(number + 1)
    const sheets = Array.from({ length: number }, (_, index) => index + 1)
    addPart(zip, 'xl/workbook.xml', workbook(sheets))
    addPart(
      zip,
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((one): [string, string] => ['worksheet', `worksheets/sheet${one}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    )
    zip.end()
  }
}

/** One sheet. `onEnd` learns whether it was the last one, before the sheet ends. A header counts as a row. */
async function* sheetLines(
  columns: readonly Column[],
  source: AsyncIterator<Row>,
  { rowsMax, onEnd }: { rowsMax: number; onEnd: (isLast: boolean) => void },
): AsyncGenerator<string> {
  yield `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">`
  yield '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
  yield `<cols><col min="1" max="${columns.length}" width="22" customWidth="1"/></cols><sheetData>`
  yield `<row>${columns.map(({ name, isTime }) => textCell(isTime ? `${name} (UTC)` : name, headStyle)).join('')}</row>`
  let isLast = false
  for (let rows = 1; rows < rowsMax && !isLast; rows++) {
    const next = await source.next()
    isLast = next.done === true
    if (next.done !== true)
      yield `<row>${columns.map((column) => cell(column, next.value[column.name] ?? null)).join('')}</row>`
  }
  onEnd(isLast)
  yield '</sheetData></worksheet>'
}

function cell({ isTime, isDay = false, isMoney = false }: Column, value: Row[string]): string {
  if (value === null) return '<c/>'
  if (typeof value === 'number') return `<c${isMoney ? ` s="${moneyStyle}"` : ''}><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const moment = isTime || isDay ? Date.parse(value) : Number.NaN
  if (Number.isNaN(moment)) return textCell(value)
  return `<c s="${isDay ? dayStyle : timeStyle}"><v>${serialDate(moment)}</v></c>`
}

/** Days since the last day of 1899, as spreadsheets count them. */
function serialDate(moment: number): number {
  return moment / 86_400_000 + 25_569
}

function textCell(text: string, style = 0): string {
  const short = text.length > xlsxCellLengthMax ? `${text.slice(0, xlsxCellLengthMax - 1)}…` : text
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(short)}</t></is></c>`
}

/** XML without the characters that it can't hold. Excel would take `_x0041_` for an escaped letter. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function addPart(zip: ZipFile, name: string, xml: string): void {
  zip.addBuffer(Buffer.from(xmlHead + xml), name)
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const schemas = 'http://schemas.openxmlformats.org'
const main = `${schemas}/spreadsheetml/2006/main`
const relationships = `${schemas}/officeDocument/2006/relationships`
const contentType = (part: string) =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`

// Sheets are what an `.xml` is by default: the number of sheets is not known when this is written.
const contentTypes = `<Types xmlns="${schemas}/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="${contentType('worksheet')}"/>\
<Override PartName="/xl/workbook.xml" ContentType="${contentType('sheet.main')}"/>\
<Override PartName="/xl/styles.xml" ContentType="${contentType('styles')}"/></Types>`

const timeStyle = 1
const headStyle = 2
const dayStyle = 3
const moneyStyle = 4
const stylesWith = (currency: string | null) => `<styleSheet xmlns="${main}">\
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/>\
<numFmt numFmtId="165" formatCode="${moneyFormat(currency)}"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** `#,##0.00 [$EUR]`, with as many decimals as the currency has. */
function moneyFormat(currency: string | null): string {
  if (currency === null) return 'General'
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return `#,##0${digits === 0 ? '' : `.${'0'.repeat(digits)}`} [$${currency}]`
}

function workbook(sheets: readonly number[]): string {
  const named = sheets.map((number) => `<sheet name="${number}" sheetId="${number}" r:id="r${number}"/>`)
  return `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${named.join('')}</sheets></workbook>`
}

function relations(targets: readonly [string, string][]): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="r${index + 1}" Type="${relationships}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${schemas}/package/2006/relationships">${each.join('')}</Relationships>`
}
