/** Buttons to redeem, claim or cancel a prize, to take its redemption back, or to decide about a held one. */
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
import { CheckButtons, RefusePrize, ReleasePrize } from './prize-check.tsx'
import { CancelPrize, RedeemPrize, ReverseRedemption } from './prize-dialogs.tsx'
import { visibleText } from '../../../src/visible-text.ts'

type Noun = 'claim' | 'redemption' | 'cancellation' | 'redemption-reversal' | 'release' | 'refusal'

type ActionsProps = {
  prize: PrizeAnswer
  isWide?: boolean
  onSettled?: (prize: PrizeAnswer) => void
  /** Moves the focus on when a dialog closes. Without it, the focus goes back to the button. */
  onClosed?: () => void
}

export function PrizeActions({ prize, isWide = false, onSettled, onClosed }: ActionsProps) {
  const may = useMay()
  const [asked, setAsked] = useState<Noun | null>(null)
  const close = () => {
    setAsked(null)
    onClosed?.()
  }
  const settle = useSettlement(prize, { onSettled, onClosed: close })
  const isOpen = prize.state === 'won' || prize.state === 'claimed'
  const isReversible = prize.reversibleUntil !== null && Date.parse(prize.reversibleUntil) > Date.now()
  const shared = { prize, isRunning: settle.isPending, returnFocus: onClosed === undefined, onClose: close }
  if (!may.serve) return null
  return (
    <>
      {isOpen ? (
        <OpenPrizeButtons
          {...{ prize, isWide }}
          isRunning={settle.isPending}
          onAsk={setAsked}
          onClaim={() => settle.mutate({ noun: 'claim', body: {} })}
        />
      ) : null}
      {prize.state === 'held' && may.edit ? (
        <CheckButtons {...{ prize, isWide }} isRunning={settle.isPending} onAsk={setAsked} />
      ) : null}
      {isReversible && may.edit ? (
        <Button
          size={isWide ? 'md' : 'xs'}
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
      <ReleasePrize
        {...shared}
        opened={asked === 'release'}
        onConfirm={(body) => settle.mutate({ noun: 'release', body })}
      />
      <RefusePrize
        {...shared}
        opened={asked === 'refusal'}
        onConfirm={(body) => settle.mutate({ noun: 'refusal', body })}
      />
      <CancelPrize
        {...shared}
        opened={asked === 'cancellation'}
        onConfirm={(body) => settle.mutate({ noun: 'cancellation', body })}
      />
    </>
  )
}

function useSettlement(
  prize: PrizeAnswer,
  on: { onSettled: ((prize: PrizeAnswer) => void) | undefined; onClosed: () => void },
) {
  const api = useApi()
  const refresh = useRefresh()
  const path = `/api/v1/prizes/${prize.playId}`
  const query = `?playerId=${encodeURIComponent(prize.playerId)}`
  const { headers, renew } = useIdempotencyKey()
  return useAction({
    mutationFn: ({ noun, body }: { noun: Noun; body: object }) =>
      api.put<PrizeAnswer>(`${path}/${noun}${query}`, body, headers),
    onSuccess: async ({ data }) => {
      renew()
      on.onSettled?.(data)
      tellDone(t('prizes.settled', { label: data.label, state: textOf(`prizeState.${data.state}`) }))
      await refresh('prizes')
    },
    onError: async (error) => {
      // As long as nobody knows whether it was done, the next attempt has the same key.
      if (error instanceof Problem && error.isRefusal) renew()
      tellProblem(error)
      await refresh('prizes')
    },
    onSettled: on.onClosed,
  })
}

/** For a prize that is not settled yet. */
function OpenPrizeButtons(props: {
  prize: PrizeAnswer
  isWide: boolean
  isRunning: boolean
  onAsk: (noun: Noun) => void
  onClaim: () => void
}) {
  const { prize, isWide, isRunning, onAsk, onClaim } = props
  const size = isWide ? 'md' : 'xs'
  const what = { label: prize.label, player: visibleText(prize.playerId) }
  return (
    <Group gap={6} justify={isWide ? 'flex-start' : 'flex-end'} wrap="nowrap">
      <Button
        size={size}
        loading={isRunning}
        onClick={() => onAsk('redemption')}
        aria-label={t('prizes.redeemFor', what)}
      >
        {t('prizes.redeem')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size={size} px={8} variant="default" aria-label={t('prizes.moreFor', what)}>
            <Icon name="chevron" size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {prize.state === 'won' ? <Menu.Item onClick={onClaim}>{t('prizes.claim')}</Menu.Item> : null}
          <Menu.Item color="red" onClick={() => onAsk('cancellation')}>
            {t('prizes.cancel')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
