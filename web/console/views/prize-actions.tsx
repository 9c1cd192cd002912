/** Buttons to redeem, claim or cancel a prize, or to take its redemption back. */
import { Button, Group, Menu } from '@mantine/core'
import { useState } from 'react'
import type { PrizeAnswer } from '../../../src/http/answers/prizes.ts'
import { Problem } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { useApi, useMay, useRefresh } from '../session.tsx'
import { t, textOf } from '../texts.ts'
import { CancelPrize, RedeemPrize, ReverseRedemption } from './prize-dialogs.tsx'
import { visibleText } from '../../../src/visible-text.ts'

type Noun = 'claim' | 'redemption' | 'cancellation' | 'redemption-reversal'

export function PrizeActions({ prize, isWide = false }: { prize: PrizeAnswer; isWide?: boolean }) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [asked, setAsked] = useState<Noun | null>(null)
  const path = `/api/v1/prizes/${prize.playId}`
  const query = `?playerId=${encodeURIComponent(prize.playerId)}`
  const close = () => setAsked(null)
  const { headers, renew } = useIdempotencyKey()
  const settle = useAction({
    mutationFn: ({ noun, body }: { noun: Noun; body: object }) =>
      api.put<PrizeAnswer>(`${path}/${noun}${query}`, body, headers),
    onSuccess: async ({ data }) => {
      renew()
      tellDone(t('prizes.settled', { label: data.label, state: textOf(`prizeState.${data.state}`) }))
      await refresh('prizes')
    },
    onError: async (error) => {
      // As long as nobody knows whether it was done, the next attempt has the same key.
      if (error instanceof Problem && error.isRefusal) renew()
      tellProblem(error)
      await refresh('prizes')
    },
    onSettled: close,
  })
  const isOpen = prize.state === 'won' || prize.state === 'claimed'
  const isReversible = prize.reversibleUntil !== null && Date.parse(prize.reversibleUntil) > Date.now()
  const size = isWide ? 'md' : 'xs'
  const shared = { prize, isRunning: settle.isPending, onClose: close }
  if (!may.serve) return null
  return (
    <>
      {isOpen ? (
        <Group gap={6} justify={isWide ? 'flex-start' : 'flex-end'} wrap="nowrap">
          <Button
            size={size}
            loading={settle.isPending}
            onClick={() => setAsked('redemption')}
            aria-label={t('prizes.redeemFor', { label: prize.label, player: visibleText(prize.playerId) })}
          >
            {t('prizes.redeem')}
          </Button>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button
                size={size}
                px={8}
                variant="default"
                aria-label={t('prizes.moreFor', { label: prize.label, player: visibleText(prize.playerId) })}
              >
                <Icon name="chevron" size={14} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {prize.state === 'won' ? (
                <Menu.Item onClick={() => settle.mutate({ noun: 'claim', body: {} })}>
                  {t('prizes.claim')}
                </Menu.Item>
              ) : null}
              <Menu.Item color="red" onClick={() => setAsked('cancellation')}>
                {t('prizes.cancel')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      ) : null}
      {isReversible && may.edit ? (
        <Button
          size={size}
          variant="default"
          loading={settle.isPending}
          onClick={() => setAsked('redemption-reversal')}
          aria-label={t('prizes.reverseFor', { label: prize.label, player: visibleText(prize.playerId) })}
        >
          {t('prizes.reverse')}
        </Button>
      ) : null}
      <RedeemPrize
        {...shared}
        opened={asked === 'redemption'}
        onConfirm={() => settle.mutate({ noun: 'redemption', body: {} })}
      />
      <ReverseRedemption
        {...shared}
        opened={asked === 'redemption-reversal'}
        onConfirm={(body) => settle.mutate({ noun: 'redemption-reversal', body })}
      />
      <CancelPrize
        {...shared}
        opened={asked === 'cancellation'}
        onConfirm={(body) => settle.mutate({ noun: 'cancellation', body })}
      />
    </>
  )
}
