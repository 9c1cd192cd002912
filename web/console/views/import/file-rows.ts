import { textOfFile } from '../../parts/text-file.ts'
import { isZip } from '../../parts/zip-parts.ts'
import { t } from '../../texts.ts'
import { type CsvRow, readRows } from './csv-rows.ts'
import { readXlsx } from './xlsx-rows.ts'

/** What a field for such a file offers. */
export const tableFiles = '.csv,.xlsx,text/csv,text/plain'
const fileMegabytesMax = 30

type FileRows = { rows: CsvRow[]; bytes: Uint8Array } | { problem: string }

/** The lines of a CSV file, or of the first sheet of an Excel workbook. */
export async function readFileRows(file: File): Promise<FileRows> {
  if (file.size > fileMegabytesMax * 1024 * 1024)
    return { problem: t('file.tooLarge', { count: fileMegabytesMax }) }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isWorkbook = isZip(bytes)
  const text = isWorkbook ? undefined : textOfFile(bytes)
  const rows = isWorkbook ? await readXlsx(bytes) : text === undefined ? undefined : readRows(text)
  return rows === undefined ? { problem: t('file.notTable') } : { rows, bytes }
}
