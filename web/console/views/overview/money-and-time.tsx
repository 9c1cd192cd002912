/** The first of the first steps: the currency and the time zone in which the console shows everything. */
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../parts/action.ts'
import { CurrencyField } from '../../parts/currency-field.tsx'
import { Form, Submit } from '../../parts/form.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { ZoneField } from '../../parts/zone-field.tsx'
import { zoneOfMerchant } from '../../parts/zoned-time.ts'
import { sessionKey, useApi, useMerchant } from '../../session.tsx'
import { t } from '../../texts.ts'

export function MoneyAndTime() {
  const api = useApi()
  const client = useQueryClient()
  const [currency, setCurrency] = useState<string | null>(null)
  const [timeZone, setTimeZone] = useState(zoneOfMerchant(useMerchant()))
  const save = useAction({
    mutationFn: () => api.patch('/api/v1/merchant', { currency, timeZone }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: sessionKey }),
        client.invalidateQueries({ queryKey: [api.merchant] }),
      ]),
    onError: tellProblem,
  })
  return (
    <Form onSubmit={() => save.mutate()} maw={420}>
      <Text size="sm">{t('checklist.moneyText')}</Text>
      <CurrencyField value={currency} onChange={setCurrency} />
      <ZoneField label={t('field.timeZone')} value={timeZone} onChange={setTimeZone} />
      <Submit size="xs" loading={save.isPending} disabled={currency === null}>
        {t('action.save')}
      </Submit>
    </Form>
  )
}
