import { Set as setFormat, IsDateTime } from 'typebox/format'

/** What is used here of the validator. */
type Validator = {
  formats: Record<string, unknown>
  addFormat: (name: string, isValid: (text: string) => boolean) => unknown
}

/** Limits the times in requests, for the validator of the routes and for the one that lists all errors. */
export function limitTimes(ajv: Validator): void {
  const known = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', (text) => known.validate(text) && isStorable(text))
  setFormat('date-time', (text) => IsDateTime(text) && isStorable(text))
}

/** In UTC, years that are written with four digits. Not a leap second either, which has no `Date`. */
function isStorable(text: string): boolean {
  const moment = Date.parse(text)
  return moment >= Date.parse('0001-01-01T00:00:00Z') && moment <= Date.parse('9999-12-31T23:59:59.999Z')
}
