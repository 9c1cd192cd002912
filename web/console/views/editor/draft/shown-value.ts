import { formatDuration } from '../../../parts/durations.ts'
import { formatMoney, formatNumber, formatInZone, hasText, t, zoneOfView } from '../../../texts.ts'
import { placeName } from './place-name.ts'

const moneyFields = ['cost', 'costPerDay', 'amount']
const secondsFields = ['claimWithinSeconds', 'lastCallSeconds']

/** A value in words, as its field shows it, with times in `zone`. Of an object, each field has the editor's name. */
export function shown(value: unknown, zone = zoneOfView(), field = ''): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return t(value ? 'publish.on' : 'publish.off')
  if (typeof value === 'number') return shownNumber(value, field)
  if (typeof value === 'string') return shownText(value, zone)
  if (Array.isArray(value)) return value.map((one) => shown(one, zone)).join(', ')
  const fields = Object.entries(value)
  // A rule without conditions.
  if (fields.length === 0) return t('publish.on')
  return fields
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, one]) => `${placeName(name)}: ${shown(one, zone, name) ?? '–'}`)
    .join(', ')
}

function shownNumber(value: number, field: string): string {
  if (secondsFields.includes(field)) return formatDuration(value)
  return moneyFields.includes(field) ? formatMoney(value) : formatNumber(value)
}

function shownText(value: string, zone: string): string {
  if (value.startsWith('data:audio')) return t('publish.sound')
  if (value.startsWith('data:')) return t('publish.image')
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)) return formatInZone(value, zone)
  return hasText(`prize.${value}`) ? t(`prize.${value}` as 'prize.none') : value
}
