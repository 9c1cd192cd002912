import { isCurrency } from '../../../currency.ts'
import type { Settings } from '../../answers/settings.ts'
import { refuseUnknownZone, wrongQuery } from '../query.ts'

/** Refuses a time zone or a currency that has the form of one and does not exist. */
export function checkSettings({
  timeZone,
  currency,
}: Partial<Pick<Settings, 'timeZone' | 'currency'>>): void {
  refuseUnknownZone(timeZone)
  if (typeof currency === 'string' && !isCurrency(currency))
    throw wrongQuery('currency', 'must be the code of a currency, like EUR')
}
