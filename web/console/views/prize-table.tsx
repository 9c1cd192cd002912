/** The prizes that were won, with actions to redeem, claim or cancel them. */
import { Badge, Button, Group, Menu, Modal, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { PrizeAnswer, PrizesAnswer } from '../../../src/http/answers/prizes.ts'
import { Pages, usePages } from '../pages.tsx'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi, useMay, useRefresh } from '../session.tsx'
import { formatDistance, formatTime, t, textOf } from '../texts.ts'
import { playerPath } from './players.tsx'

const stateColours = { won: 'brand', claimed: 'blue', redeemed: 'teal', cancelled: 'gray', expired: 'orange' }

export function PrizeTable(props: {
  filters: Record<string, string | undefined>
  name: readonly unknown[]
  refetchInterval?: number
}) {
  const { merchant } = useApi()
  const prizes = usePages<PrizesAnswer>(
    props.name,
    'prizes',
    '/api/v1/prizes',
    props.filters,
    props.refetchInterval === undefined ? {} : { refetchInterval: props.refetchInterval },
  )
  return (
    <Pages
      query={prizes}
      empty={<Empty icon="prizes" title={t('prizes.none')} text={t('prizes.noneText')} />}
    >
      {(items) => (
        <DataTable
          label={t('nav.prizes')}
          items={items}
          keyOf={(prize) => `${prize.playId} ${prize.playerId}`}
          columns={[
            {
              head: t('prizes.prize'),
              cell: (prize) => (
                <div>
                  <Text size="sm" fw={600}>
                    {prize.label}
                  </Text>
                  {prize.code === null ? null : (
                    <Text size="xs" c="dimmed" className="mono">
                      {prize.code}
                    </Text>
                  )}
                </div>
              ),
            },
            {
              head: t('prizes.player'),
              cell: (prize) => (
                <Link className="row-link wrap-anywhere" href={playerPath(merchant, prize.playerId)}>
                  {prize.playerId}
                </Link>
              ),
            },
            {
              head: t('prizes.won'),
              cell: (prize) => (
                <span className="nowrap" title={formatTime(prize.wonAt)}>
                  {formatDistance(prize.wonAt)}
                </span>
              ),
            },
            { head: t('prizes.state'), cell: (prize) => <PrizeState prize={prize} /> },
            { head: '', right: true, cell: (prize) => <PrizeActions prize={prize} /> },
          ]}
        />
      )}
    </Pages>
  )
}

export function PrizeState({ prize }: { prize: PrizeAnswer }) {
  return (
    <div>
      <Badge color={stateColours[prize.state]}>{textOf(`prizeState.${prize.state}`)}</Badge>
      {prize.claimBefore !== null && prize.state === 'won' ? (
        <Text size="xs" c="dimmed" className="nowrap" mt={2}>
          {t('prizes.claimBefore', { when: formatDistance(prize.claimBefore) })}
        </Text>
      ) : null}
      {prize.settledBy === null ? null : (
        <Text size="xs" c="dimmed" mt={2} title={prize.settledAt === null ? '' : formatTime(prize.settledAt)}>
          {prize.settledBy.replace(/^\w+:/, '')}
        </Text>
      )}
    </div>
  )
}

export function PrizeActions({ prize, isWide = false }: { prize: PrizeAnswer; isWide?: boolean }) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [isCancelling, setCancelling] = useState(false)
  const path = `/api/v1/prizes/${prize.playId}`
  const query = `?playerId=${encodeURIComponent(prize.playerId)}`
  const settle = useMutation({
    mutationFn: ({ noun, body }: { noun: 'claim' | 'redemption' | 'cancellation'; body: object }) =>
      api.put<PrizeAnswer>(`${path}/${noun}${query}`, body),
    onSuccess: async ({ data }) => {
      setCancelling(false)
      tellDone(t('prizes.settled', { label: data.label, state: textOf(`prizeState.${data.state}`) }))
      await refresh('prizes')
    },
    onError: async (error) => {
      tellProblem(error)
      await refresh('prizes')
    },
  })
  const isOpen = prize.state === 'won' || prize.state === 'claimed'
  if (!may.serve || !isOpen) return null
  return (
    <>
      <Group gap={6} justify={isWide ? 'flex-start' : 'flex-end'} wrap="nowrap">
        <Button
          size={isWide ? 'md' : 'xs'}
          loading={settle.isPending}
          onClick={() => settle.mutate({ noun: 'redemption', body: {} })}
          aria-label={t('prizes.redeemFor', { label: prize.label, player: prize.playerId })}
        >
          {t('prizes.redeem')}
        </Button>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button
              size={isWide ? 'md' : 'xs'}
              px={8}
              variant="default"
              aria-label={t('prizes.moreFor', { label: prize.label, player: prize.playerId })}
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
            <Menu.Item color="red" onClick={() => setCancelling(true)}>
              {t('prizes.cancel')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Cancel
        prize={prize}
        opened={isCancelling}
        isRunning={settle.isPending}
        onClose={() => setCancelling(false)}
        onConfirm={(body) => settle.mutate({ noun: 'cancellation', body })}
      />
    </>
  )
}

function Cancel(props: {
  prize: PrizeAnswer
  opened: boolean
  isRunning: boolean
  onClose: () => void
  onConfirm: (body: { reason: string; returnStock: boolean }) => void
}) {
  const [reason, setReason] = useState('')
  const [returnStock, setReturnStock] = useState(true)
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={<Text fw={650}>{t('prizes.cancelTitle', { label: props.prize.label })}</Text>}
    >
      <Form onSubmit={() => props.onConfirm({ reason: reason.trim(), returnStock })}>
        <Text size="sm">{t('prizes.cancelText')}</Text>
        <ReasonInput value={reason} onChange={setReason} hasFocus />
        <Switch
          label={t('prizes.returnStock')}
          checked={returnStock}
          onChange={(event) => setReturnStock(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('action.back')}
          </Button>
          <Submit color="red" loading={props.isRunning}>
            {t('prizes.cancel')}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}
