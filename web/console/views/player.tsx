import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Menu,
  Modal,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Confirm } from '../parts/confirm.tsx'
import { CopyText } from '../parts/copy.tsx'
import { download } from '../parts/download.ts'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { giveSpins, SpinsInput, useIdempotencyKey } from '../parts/grant.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { NumberField } from '../parts/number-field.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { Pages, usePages } from '../pages.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatNumber, formatTime, t, textOf } from '../texts.ts'
import { PlayerLinks } from './player-links.tsx'
import { type Player, PlayerBadge } from './players.tsx'
import { PrizeTable } from './prize-table.tsx'

type Entry = {
  entry: number
  kind: string
  amount: number
  balanceAfter: number
  key: string
  reason: string | null
  origin: string | null
  at: string
}
export type PlayRow = {
  playId: string
  playNumber: number
  playedAt: string
  label: string
  won: boolean
  playerId: string
  wheel: string
  wheelVersion: number
  prizeId: string
  fallbackReason: string | null
}
type Dialog = 'give' | 'correct' | 'link' | 'block' | 'erase' | null

export function PlayerView({ playerId }: { playerId: string }) {
  const { merchant } = useApi()
  const path = `/api/v1/players/${encodeURIComponent(playerId)}`
  const player = useRead<Player>(['player', playerId], path)
  return (
    <>
      <Group gap="xs" mb="lg" align="center">
        <Link href={`/m/${merchant}/players`} className="row-link" aria-label={t('player.back')}>
          <Icon name="left" size={20} />
        </Link>
        <Title order={1} className="wrap-anywhere">
          {playerId}
        </Title>
        {player.data === undefined ? null : <PlayerBadge player={player.data} />}
      </Group>
      <Loaded query={player}>{(data) => <Whole player={data} path={path} />}</Loaded>
    </>
  )
}

function Whole({ player, path }: { player: Player; path: string }) {
  const may = useMay()
  const [dialog, setDialog] = useState<Dialog>(null)
  const close = () => setDialog(null)
  const isErased = player.erasedAt !== null
  const shared = { player, path, onClose: close }
  return (
    <Stack gap="lg">
      <Paper>
        <Group justify="space-between" gap="lg">
          <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xl">
            <Figure label={t('player.balance')} value={formatNumber(player.spinCount)} />
            <Figure label={t('players.plays')} value={formatNumber(player.playCount)} />
            <div>
              <Text size="sm" c="dimmed">
                {t('players.since')}
              </Text>
              <Text fw={600} mt={6}>
                {formatTime(player.createdAt)}
              </Text>
            </div>
          </SimpleGrid>
          {may.serve && !isErased ? (
            <Group gap={6} wrap="nowrap">
              <Button px="sm" leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog('give')}>
                {t('player.give')}
              </Button>
              <Button px="sm" variant="default" onClick={() => setDialog('link')}>
                {t('player.link')}
              </Button>
              <Menu position="bottom-end" withinPortal>
                <Menu.Target>
                  <ActionIcon variant="default" size={36} aria-label={t('player.more')}>
                    <Icon name="chevron" size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setDialog('correct')}>{t('player.correct')}</Menu.Item>
                  <Menu.Item onClick={() => setDialog('block')}>
                    {player.blockedAt === null ? t('player.block') : t('player.unblock')}
                  </Menu.Item>
                  <ExportItem player={player} path={path} />
                  <Menu.Divider />
                  <Menu.Item color="red" onClick={() => setDialog('erase')}>
                    {t('player.erase')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </Group>
          ) : null}
        </Group>
      </Paper>
      <AddressTabs
        label={t('player.parts')}
        tabs={[
          {
            value: 'ledger',
            label: t('player.ledger'),
            content: <Ledger path={path} playerId={player.playerId} />,
          },
          { value: 'plays', label: t('players.plays'), content: <Plays playerId={player.playerId} /> },
          { value: 'wins', label: t('player.wins'), content: <Wins playerId={player.playerId} /> },
          {
            value: 'links',
            label: t('player.links'),
            content: <PlayerLinks path={path} playerId={player.playerId} />,
          },
        ]}
      />
      <Give {...shared} opened={dialog === 'give'} />
      <Correct {...shared} opened={dialog === 'correct'} />
      <GameLink {...shared} opened={dialog === 'link'} />
      <Block {...shared} opened={dialog === 'block'} />
      <Erase {...shared} opened={dialog === 'erase'} />
    </Stack>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="stat-value">{value}</div>
    </div>
  )
}

function Ledger({ path, playerId }: { path: string; playerId: string }) {
  const entries = usePages<Entry, 'entries'>(['ledger', playerId], 'entries', `${path}/ledger`)
  return (
    <Paper className="card-flush" p={0}>
      <Pages
        query={entries}
        empty={<Empty icon="history" title={t('player.noEntries')} text={t('player.noEntriesText')} />}
      >
        {(items) => (
          <DataTable
            label={t('player.ledger')}
            items={items}
            keyOf={(entry) => entry.entry}
            columns={[
              {
                head: t('ledger.when'),
                cell: (entry) => <span className="nowrap">{formatTime(entry.at)}</span>,
              },
              { head: t('ledger.what'), cell: (entry) => textOf(`ledger.${entry.kind}`) },
              {
                head: t('ledger.amount'),
                right: true,
                cell: (entry) => (
                  <Text
                    component="span"
                    size="sm"
                    fw={650}
                    className="amount"
                    data-positive={entry.amount > 0}
                  >
                    {entry.amount > 0 ? '+' : '−'}
                    {formatNumber(Math.abs(entry.amount))}
                  </Text>
                ),
              },
              { head: t('ledger.balance'), right: true, cell: (entry) => formatNumber(entry.balanceAfter) },
              {
                head: t('ledger.key'),
                cell: (entry) => (
                  <>
                    <Text component="span" size="xs" c="dimmed" className="mono wrap-anywhere">
                      {entry.reason ?? entry.key}
                    </Text>
                    {entry.origin === null ? null : (
                      <Text size="xs" c="dimmed" className="wrap-anywhere">
                        {t('ledger.by', { who: entry.origin.replace(/^[a-z]+:/, '') })}
                      </Text>
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
      </Pages>
    </Paper>
  )
}

function Plays({ playerId }: { playerId: string }) {
  const plays = usePages<PlayRow, 'plays'>(['plays', playerId], 'plays', '/api/v1/plays', { playerId })
  return (
    <Paper className="card-flush" p={0}>
      <Pages
        query={plays}
        empty={<Empty icon="wheel" title={t('player.noPlays')} text={t('player.noPlaysText')} />}
      >
        {(items) => (
          <DataTable
            label={t('players.plays')}
            items={items}
            keyOf={(play) => play.playId}
            columns={[
              { head: '#', cell: (play) => formatNumber(play.playNumber) },
              {
                head: t('ledger.when'),
                cell: (play) => <span className="nowrap">{formatTime(play.playedAt)}</span>,
              },
              {
                head: t('plays.outcome'),
                cell: (play) => (
                  <Group gap="xs" wrap="nowrap">
                    {play.label}
                    {play.won ? <Badge color="teal">{t('plays.won')}</Badge> : null}
                    {play.fallbackReason === null ? null : (
                      <Badge color="orange">{textOf(`fallback.${play.fallbackReason}`)}</Badge>
                    )}
                  </Group>
                ),
              },
              {
                head: t('plays.wheel'),
                cell: (play) => (
                  <span className="nowrap">
                    {t('plays.wheelVersion', { wheel: play.wheel, version: play.wheelVersion })}
                  </span>
                ),
              },
              {
                head: t('plays.id'),
                cell: (play) => <span className="mono nowrap">{play.playId.slice(0, 8)}…</span>,
              },
            ]}
          />
        )}
      </Pages>
    </Paper>
  )
}

function Wins({ playerId }: { playerId: string }) {
  return (
    <Paper className="card-flush" p={0}>
      <PrizeTable filters={{ playerId }} name={['prizes', 'of', playerId]} />
    </Paper>
  )
}

type DialogProps = { player: Player; path: string; opened: boolean; onClose: () => void }

function useChange(
  work: () => Promise<unknown>,
  options: { done: string; onDone: () => void; player: Player },
) {
  const refresh = useRefresh()
  return useMutation({
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

function Give({ player, opened, onClose }: DialogProps) {
  const api = useApi()
  const [spins, setSpins] = useState<number | string>(5)
  const [reason, setReason] = useState('')
  const idempotency = useIdempotencyKey()
  const give = useChange(
    () => giveSpins(api, { playerId: player.playerId, spins: Number(spins), reason }, idempotency.headers),
    {
      done: t('player.given', { count: Number(spins) }),
      player,
      onDone: () => {
        idempotency.renew()
        setReason('')
        onClose()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('player.give')}</Text>}>
      <Form onSubmit={() => give.mutate()}>
        <SpinsInput value={spins} onChange={setSpins} hasFocus />
        <ReasonInput value={reason} onChange={setReason} description={t('player.giveText')} />
        <Submit loading={give.isPending}>{t('player.give')}</Submit>
      </Form>
    </Modal>
  )
}

function Correct({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const [amount, setAmount] = useState<number | string>('')
  const [reason, setReason] = useState('')
  const idempotency = useIdempotencyKey()
  const correct = useChange(
    () => api.post(`${path}/corrections`, { amount: Number(amount), reason: reason.trim() }, idempotency.headers),
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
              ? t('player.correctTo', { count: player.spinCount + amount })
              : t('player.correctHint')
          }
          value={typeof amount === 'number' ? amount : undefined}
          onChange={setAmount}
          min={-1_000_000_000}
          max={1_000_000_000}
          required
          data-autofocus
        />
        <ReasonInput value={reason} onChange={setReason} />
        <Submit loading={correct.isPending} disabled={amount === '' || amount === 0}>
          {t('player.correct')}
        </Submit>
      </Form>
    </Modal>
  )
}

function GameLink({ path, opened, onClose }: DialogProps) {
  const api = useApi()
  const make = useMutation({
    mutationFn: () => api.post<{ link: string }>(`${path}/links`),
    onError: tellProblem,
  })
  const close = () => {
    make.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={650}>{t('player.link')}</Text>}>
      <Stack>
        <Text size="sm">{t('player.linkText')}</Text>
        {make.data === undefined ? (
          <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
            {t('player.makeLink')}
          </Button>
        ) : (
          <>
            <CopyText text={make.data.link} label={t('player.link')} />
            <Button
              component="a"
              href={make.data.link}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<Icon name="external" size={16} />}
            >
              {t('player.openLink')}
            </Button>
          </>
        )}
      </Stack>
    </Modal>
  )
}

function Block({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const isBlocked = player.blockedAt !== null
  const block = useChange(
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

function Erase({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const erase = useMutation({
    mutationFn: () => api.del<{ pseudonym: string }>(`${path}/personal-data`),
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
      name={player.playerId}
      isRunning={erase.isPending}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    />
  )
}

function ExportItem({ player, path }: { player: Player; path: string }) {
  const api = useApi()
  return (
    <Menu.Item
      onClick={() =>
        void download(api, `${path}/personal-data`, `${player.playerId}.ndjson`).catch(tellProblem)
      }
    >
      {t('player.export')}
    </Menu.Item>
  )
}
