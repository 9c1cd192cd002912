/** The dialogs that change a player: give spins, correct the balance, block, erase. */
import { Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ErasureAnswer, PlayerAnswer } from '../../../src/http/answers/players.ts'
import { useAction } from '../parts/action.ts'
import { CampaignChoice, useCampaignFor } from '../parts/campaign-choice.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { ExpiryInput, giveSpins, SpinsInput } from '../parts/grant.tsx'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { useLiveCampaigns } from '../parts/known-campaigns.ts'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { NumberField } from '../parts/number-field.tsx'
import { spinsFor } from '../parts/purses.ts'
import { useApi, useRefresh } from '../session.tsx'
import { t } from '../texts.ts'
import { visibleText } from '../../../src/visible-text.ts'

export type DialogProps = { player: PlayerAnswer; path: string; opened: boolean; onClose: () => void }

export function GiveSpins({ player, opened, onClose }: DialogProps) {
  const api = useApi()
  const [spins, setSpins] = useState<number | string>(5)
  const [chosenCampaign, setCampaign] = useState('')
  const campaign = useCampaignFor(chosenCampaign)
  const [reason, setReason] = useState('')
  const [expiresAt, setExpiresAt] = useState<string>()
  const idempotency = useIdempotencyKey()
  const give = usePlayerChange(
    () =>
      giveSpins(
        api,
        { playerId: player.playerId, spins: Number(spins), reason, campaign, expiresAt },
        idempotency.headers,
      ),
    {
      done: t('player.given', { count: Number(spins) }),
      player,
      onDone: () => {
        idempotency.renew()
        setReason('')
        setExpiresAt(undefined)
        onClose()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('player.give')}</Text>}>
      <Form onSubmit={() => give.mutate()}>
        <SpinsInput value={spins} onChange={setSpins} hasFocus />
        <CampaignChoice use="spins" chosen={chosenCampaign} onChange={setCampaign} />
        <ExpiryInput value={expiresAt} onChange={setExpiresAt} />
        <ReasonInput value={reason} onChange={setReason} description={t('player.giveText')} />
        <Submit loading={give.isPending}>{t('player.give')}</Submit>
      </Form>
    </Modal>
  )
}

export function CorrectBalance({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const [amount, setAmount] = useState<number | string>('')
  const [chosenCampaign, setCampaign] = useState('')
  const campaign = useCampaignFor(chosenCampaign)
  const chosen = useLiveCampaigns()?.find((one) => one.campaign === campaign)
  const [reason, setReason] = useState('')
  const idempotency = useIdempotencyKey()
  const correct = usePlayerChange(
    () =>
      api.post(
        `${path}/corrections`,
        { amount: Number(amount), reason: reason.trim(), campaign },
        idempotency.headers,
      ),
    {
      done: t('player.corrected'),
      player,
      onDone: () => {
        idempotency.renew()
        setAmount('')
        setReason('')
        onClose()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('player.correct')}</Text>}>
      <Form onSubmit={() => correct.mutate()}>
        <Text size="sm" c="dimmed">
          {t('player.correctText')}
        </Text>
        <NumberField
          label={t('player.correctBy')}
          description={
            typeof amount === 'number'
              ? t('player.correctTo', { count: spinsFor(player, chosen) + amount })
              : t('player.correctHint')
          }
          value={typeof amount === 'number' ? amount : undefined}
          onChange={setAmount}
          min={-1_000_000_000}
          max={1_000_000_000}
          required
          data-autofocus
        />
        <CampaignChoice use="correction" chosen={chosenCampaign} onChange={setCampaign} />
        <ReasonInput value={reason} onChange={setReason} />
        <Submit loading={correct.isPending} disabled={amount === '' || amount === 0}>
          {t('player.correct')}
        </Submit>
      </Form>
    </Modal>
  )
}

export function BlockPlayer({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const isBlocked = player.blockedAt !== null
  const block = usePlayerChange(
    async () => {
      if (isBlocked) await api.del(`${path}/block`)
      else await api.put(`${path}/block`)
    },
    { done: isBlocked ? t('player.unblocked') : t('player.isBlocked'), player, onDone: onClose },
  )
  return (
    <Confirm
      opened={opened}
      title={isBlocked ? t('player.unblock') : t('player.block')}
      text={isBlocked ? t('player.unblockText') : t('player.blockText')}
      action={isBlocked ? t('player.unblock') : t('player.block')}
      isRunning={block.isPending}
      onConfirm={() => block.mutate()}
      onClose={onClose}
    />
  )
}

export function ErasePlayer({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const erase = useAction({
    mutationFn: () => api.del<ErasureAnswer>(`${path}/personal-data`),
    onSuccess: async () => {
      onClose()
      tellDone(t('player.isErased'))
      await refresh('players')
      go(`/m/${api.merchant}/players`)
    },
    onError: tellProblem,
  })
  return (
    <Confirm
      opened={opened}
      title={t('player.erase')}
      text={t('player.eraseText')}
      action={t('player.erase')}
      name={visibleText(player.playerId)}
      isRunning={erase.isPending}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    />
  )
}

/** Makes a change to the player, then refreshes the views that show it. */
function usePlayerChange(
  work: () => Promise<unknown>,
  options: { done: string; onDone: () => void; player: PlayerAnswer },
) {
  const refresh = useRefresh()
  return useAction({
    mutationFn: work,
    onSuccess: async () => {
      options.onDone()
      tellDone(options.done)
      await Promise.all([
        refresh('player', options.player.playerId),
        refresh('ledger', options.player.playerId),
        refresh('players'),
      ])
    },
    onError: tellProblem,
  })
}
