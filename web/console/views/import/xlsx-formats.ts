/** How the cells of a workbook show their numbers: as days, with zeros in front, or plainly. Pure. */
import { attribute, elements } from './xlsx-xml.ts'

/** `digits`: with zeros in front, up to so many digits. */
export type CellFormat = { isTime?: boolean; digits?: number }

/** The formats that need not be in the file: those of days and times, also in Asia. */
const timeNumbers = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** In the order in which cells refer to them. */
export function readFormats(styles: string): CellFormat[] {
  const own = new Map(
    elements(styles, 'numFmt').map(({ tag }) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  )
  const [cellFormats] = elements(styles, 'cellXfs')
  return elements(cellFormats?.body ?? '', 'xf').map(({ tag }) => {
    const id = attribute(tag, 'numFmtId') ?? '0'
    const code = own.get(id)
    if (code !== undefined) return formatOf(code)
    const number = Number(id)
    return timeNumbers.some(([first, last]) => number >= first && number <= last) ? { isTime: true } : {}
  })
}

function formatOf(code: string): CellFormat {
  if (/^0{2,20}$/.test(code)) return { digits: code.length }
  // Without literal text, colours and conditions. `[h]` counts hours, and is no time of day.
  const bare = code.replace(/"[^"]*"|\\.|_.|\[[^\]]*\]/g, '')
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare) ? { isTime: true } : {}
}

/** As a spreadsheet shows it: 5, 00042, 2026-12-31, or 2026-12-31 18:00. */
export function shownNumber(
  value: number,
  { isTime = false, digits = 0 }: CellFormat,
  { isFrom1904 }: { isFrom1904: boolean },
): string {
  if (isTime) return shownTime(value + (isFrom1904 ? 1_462 : 0))
  // Sums of tenths have crumbs at the 17th digit.
  return String(Number(value.toPrecision(15))).padStart(digits, '0')
}

/** Spreadsheets count the days since the last day of 1899. */
function shownTime(days: number): string {
  const moment = new Date(Math.round((days - 25_569) * 86_400) * 1_000)
  if (Number.isNaN(moment.getTime())) return String(days)
  const [date = '', time = ''] = moment.toISOString().split('T')
  return time.startsWith('00:00') ? date : `${date} ${time.slice(0, 5)}`
}
