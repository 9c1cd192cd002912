import { ActionIcon, Button, Group, Menu, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { EntriesAnswer, PlayerAnswer } from '../../../src/http/answers/players.ts'
import { download } from '../parts/download.ts'
import { Icon } from '../parts/icons.tsx'
import { tellProblem } from '../parts/notify.ts'
import { CampaignName, CampaignOf } from '../parts/campaign-of.tsx'
import { useKnownCampaigns } from '../parts/known-campaigns.ts'
import { pursesText } from '../parts/purses.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { Term } from '../parts/term.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { Pages, usePages } from '../pages.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { formatNumber, formatTime, t, textOf } from '../texts.ts'
import { CreateLink } from './create-link.tsx'
import { BlockPlayer, CorrectBalance, ErasePlayer, GiveSpins } from './player-dialogs.tsx'
import { PlayerLinks } from './player-links.tsx'
import { ListBar, useChosenCampaign } from './player-lists.tsx'
import { PlayTable } from './play-table.tsx'
import { PlayerBadge } from './players.tsx'
import { PrizeTable } from './prize-table.tsx'
import { visibleText } from '../../../src/visible-text.ts'

type Dialog = 'give' | 'correct' | 'link' | 'block' | 'erase' | null

export function PlayerView({ playerId }: { playerId: string }) {
  const { merchant } = useApi()
  const path = `/api/v1/players/${encodeURIComponent(playerId)}`
  const player = useRead<PlayerAnswer>(['player', playerId], path)
  return (
    <>
      <Group gap="xs" mb="lg" align="center">
        <Link href={`/m/${merchant}/players`} className="row-link" aria-label={t('player.back')}>
          <Icon name="left" size={20} />
        </Link>
        <Title order={1} className="wrap-anywhere">
          {visibleText(playerId)}
        </Title>
        {player.data === undefined ? null : <PlayerBadge player={player.data} />}
      </Group>
      <Loaded query={player}>{(data) => <PlayerDetails player={data} path={path} />}</Loaded>
    </>
  )
}

function PlayerDetails({ player, path }: { player: PlayerAnswer; path: string }) {
  const [dialog, setDialog] = useState<Dialog>(null)
  const { playerId } = player
  const shared = { player, path, onClose: () => setDialog(null) }
  return (
    <Stack gap="lg">
      <Paper>
        <Group justify="space-between" gap="lg">
          <Figures player={player} />
          <Actions {...{ player, path }} onOpen={setDialog} />
        </Group>
      </Paper>
      <Lots player={player} />
      <AddressTabs
        label={t('player.parts')}
        tabs={[
          {
            value: 'ledger',
            label: t('player.ledger'),
            content: <Ledger {...{ path, playerId }} />,
          },
          { value: 'plays', label: t('players.plays'), content: <Plays playerId={playerId} /> },
          { value: 'wins', label: t('player.wins'), content: <Wins playerId={playerId} /> },
          {
            value: 'links',
            label: t('player.links'),
            content: <PlayerLinks {...{ path, playerId }} />,
          },
        ]}
      />
      <GiveSpins {...shared} opened={dialog === 'give'} />
      <CorrectBalance {...shared} opened={dialog === 'correct'} />
      <CreateLink {...shared} opened={dialog === 'link'} />
      <BlockPlayer {...shared} opened={dialog === 'block'} />
      <ErasePlayer {...shared} opened={dialog === 'erase'} />
    </Stack>
  )
}

function Figures({ player }: { player: PlayerAnswer }) {
  const purses = pursesText(player, useKnownCampaigns())
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xl">
      <Figure label={t('player.balance')} value={purses ?? formatNumber(player.spinCount)} />
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
  )
}

function Actions(props: { player: PlayerAnswer; path: string; onOpen: (dialog: Dialog) => void }) {
  const { player, path, onOpen } = props
  const may = useMay()
  if (!may.serve || player.erasedAt !== null) return null
  return (
    <Group gap={6} wrap="nowrap">
      <Button px="sm" leftSection={<Icon name="plus" size={16} />} onClick={() => onOpen('give')}>
        {t('player.give')}
      </Button>
      <Button px="sm" variant="default" onClick={() => onOpen('link')}>
        {t('player.link')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('player.more')}>
            <Icon name="chevron" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onOpen('correct')}>{t('player.correct')}</Menu.Item>
          <Menu.Item onClick={() => onOpen('block')}>
            {player.blockedAt === null ? t('player.block') : t('player.unblock')}
          </Menu.Item>
          <ExportItem player={player} path={path} />
          {may.edit ? (
            <>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => onOpen('erase')}>
                {t('player.erase')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
    </Group>
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

/** The spins that expire, in the order in which they are used. */
function Lots({ player: { lots = [] } }: { player: PlayerAnswer }) {
  if (lots.length === 0) return null
  return (
    <Paper className="card-flush" p={0}>
      <Title order={2} size="h4" p="md">
        {t('player.lots')}
      </Title>
      <DataTable
        label={t('player.lots')}
        items={lots}
        keyOf={(lot) => lot.lot}
        columns={[
          {
            head: t('player.lotsExpire'),
            cell: (lot) => <span className="nowrap">{formatTime(lot.expiresAt)}</span>,
          },
          { head: t('player.lotsCampaign'), cell: (lot) => <CampaignName campaign={lot.campaign} /> },
          { head: t('player.lotsFrom'), cell: (lot) => textOf(`lots.${lot.source}`) },
          { head: t('player.lotsSpins'), right: true, cell: (lot) => formatNumber(lot.spins) },
        ]}
      />
    </Paper>
  )
}

function Ledger({ path, playerId }: { path: string; playerId: string }) {
  const campaign = useChosenCampaign()
  const entries = usePages<EntriesAnswer>(['ledger', playerId], 'entries', `${path}/ledger`, { campaign })
  return (
    <Paper className="card-flush" p={0}>
      <Term name="ledger">
        <Text size="sm" c="dimmed" p="sm" pr="xl">
          {t('player.ledgerText')}
        </Text>
      </Term>
      <ListBar list="ledger" playerId={playerId} />
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
              {
                head: t('ledger.what'),
                cell: (entry) => (
                  <div>
                    {textOf(`ledger.${entry.kind}`)}
                    <CampaignOf campaign={entry.campaign} />
                  </div>
                ),
              },
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
              { head: t('ledger.key'), cell: (entry) => <Cause entry={entry} /> },
            ]}
          />
        )}
      </Pages>
    </Paper>
  )
}

/** The reason, or else the key, and who made the change by hand. */
function Cause({ entry }: { entry: EntriesAnswer['entries'][number] }) {
  return (
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
  )
}

function Plays({ playerId }: { playerId: string }) {
  const campaign = useChosenCampaign()
  return (
    <Paper className="card-flush" p={0}>
      <ListBar list="plays" playerId={playerId} />
      <PlayTable filters={{ campaign }} playerId={playerId} name={['plays', playerId]} />
    </Paper>
  )
}

function Wins({ playerId }: { playerId: string }) {
  const campaign = useChosenCampaign()
  return (
    <Paper className="card-flush" p={0}>
      <ListBar list="prizes" playerId={playerId} />
      <PrizeTable filters={{ campaign }} playerId={playerId} name={['prizes', 'of', playerId]} />
    </Paper>
  )
}

function ExportItem({ player, path }: { player: PlayerAnswer; path: string }) {
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
