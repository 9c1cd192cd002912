import { isCurrency } from '../../../currency.ts'
import { isTimeZone } from '../../../wheel-document/schedule.ts'
import type { Settings } from '../../answers/settings.ts'
import { wrongQuery } from '../query.ts'

/** Refuses a time zone or a currency that has the form of one and does not exist. */
export function checkSettings({
  timeZone,
  currency,
}: Partial<Pick<Settings, 'timeZone' | 'currency'>>): void {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw wrongQuery('timeZone', 'must be the name of a time zone, like Europe/Berlin')
  if (typeof currency === 'string' && !isCurrency(currency))
    throw wrongQuery('currency', 'must be the code of a currency, like EUR')
}
