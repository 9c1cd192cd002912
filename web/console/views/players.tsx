import { Badge, Button, Group, Modal, Paper, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PlayerAnswer, PlayersAnswer } from '../../../src/http/answers/players.ts'
import { Pages, usePages } from '../pages.tsx'
import { useAction } from '../parts/action.ts'
import { CampaignChoice, useCampaignFor } from '../parts/campaign-choice.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { ExpiryInput, giveSpins, SpinsInput } from '../parts/grant.tsx'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { Icon } from '../parts/icons.tsx'
import { useKnownCampaigns } from '../parts/known-campaigns.ts'
import { tellProblem } from '../parts/notify.ts'
import { useSearchFields } from '../parts/search-fields.ts'
import { toPathPart } from '../parts/path-part.ts'
import { pursesText } from '../parts/purses.ts'
import { Empty, PageHead } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useApi, useMay } from '../session.tsx'
import { formatNumber, formatTime, t } from '../texts.ts'
import { ForcedPlayers } from './test-mode/forced-players.tsx'
import { visibleText } from '../../../src/visible-text.ts'

export function playerPath(merchant: string, playerId: string): string {
  return `/m/${merchant}/players/${toPathPart(playerId)}`
}

export function Players() {
  const { fields, settled, set } = useSearchFields(['q', 'blocked'])
  const isBlockedOnly = fields.blocked === 'true'
  const filters = { search: settled.q.trim(), blocked: isBlockedOnly ? 'true' : undefined }
  const may = useMay()
  const [isGiving, setGiving] = useState(false)
  const players = usePages<PlayersAnswer>(['players'], 'players', '/api/v1/players', filters)
  return (
    <>
      <PageHead title={t('nav.players')} text={t('players.text')}>
        <ExportMenu list="players" filters={filters} />
        {may.serve ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setGiving(true)}>
            {t('players.give')}
          </Button>
        ) : null}
      </PageHead>
      <ForcedPlayers />
      <Paper className="card-flush" p={0}>
        <Group p="md" gap="md">
          <TextInput
            aria-label={t('players.search')}
            placeholder={t('players.search')}
            leftSection={<Icon name="search" size={16} />}
            type="search"
            value={fields.q}
            maxLength={128}
            onChange={(event) => set('q', event.currentTarget.value)}
            style={{ flex: '1 1 14rem' }}
          />
          <Switch
            label={t('players.blockedOnly')}
            checked={isBlockedOnly}
            onChange={(event) => set('blocked', event.currentTarget.checked ? 'true' : '')}
          />
        </Group>
        <Pages
          query={players}
          empty={
            <Empty
              icon="players"
              title={settled.q === '' ? t('players.none') : t('players.noneFound')}
              text={settled.q === '' ? t('players.noneText') : t('players.noneFoundText')}
            />
          }
        >
          {(items) => <PlayerTable players={items} />}
        </Pages>
      </Paper>
      <GiveNew opened={isGiving} onClose={() => setGiving(false)} />
    </>
  )
}

function PlayerTable({ players }: { players: PlayerAnswer[] }) {
  const { merchant } = useApi()
  const campaigns = useKnownCampaigns()
  return (
    <DataTable
      label={t('nav.players')}
      items={players}
      keyOf={(player) => player.playerId}
      columns={[
        {
          head: t('players.id'),
          cell: (player) => (
            <Group gap="xs" wrap="nowrap">
              <Link className="row-link wrap-anywhere" href={playerPath(merchant, player.playerId)}>
                {visibleText(player.playerId)}
              </Link>
              <PlayerBadge player={player} />
            </Group>
          ),
        },
        {
          head: t('players.spins'),
          right: true,
          cell: (player) => pursesText(player, campaigns) ?? formatNumber(player.spinCount),
        },
        { head: t('players.plays'), right: true, cell: (player) => formatNumber(player.playCount) },
        {
          head: t('players.since'),
          cell: (player) => <span className="nowrap">{formatTime(player.createdAt)}</span>,
        },
      ]}
    />
  )
}

export function PlayerBadge({ player }: { player: Pick<PlayerAnswer, 'blockedAt' | 'erasedAt'> }) {
  if (player.erasedAt !== null) return <Badge color="gray">{t('players.erased')}</Badge>
  return player.blockedAt === null ? null : <Badge color="red">{t('players.blocked')}</Badge>
}

/** Gives spins to a player by id; an unknown player is created. */
function GiveNew({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const [, go] = useLocation()
  const [playerId, setPlayerId] = useState('')
  const [chosenCampaign, setCampaign] = useState('')
  const campaign = useCampaignFor(chosenCampaign)
  const [spins, setSpins] = useState<number | string>(5)
  const [reason, setReason] = useState('')
  const [expiresAt, setExpiresAt] = useState<string>()
  const idempotency = useIdempotencyKey()
  const give = useAction({
    mutationFn: () =>
      giveSpins(api, { playerId, spins: Number(spins), reason, campaign, expiresAt }, idempotency.headers),
    onSuccess: () => go(playerPath(api.merchant, playerId)),
    onError: tellProblem,
  })
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('players.give')}</Text>}>
      <Form onSubmit={() => give.mutate()}>
        <TextField
          label={t('players.id')}
          description={t('players.idHint')}
          value={playerId}
          onChange={setPlayerId}
          required
          lengthMax={128}
          data-autofocus
        />
        <SpinsInput value={spins} onChange={setSpins} />
        <CampaignChoice use="spins" chosen={chosenCampaign} onChange={setCampaign} />
        <ExpiryInput value={expiresAt} onChange={setExpiresAt} />
        <ReasonInput value={reason} onChange={setReason} description={t('player.giveText')} />
        <Submit loading={give.isPending}>{t('player.give')}</Submit>
      </Form>
    </Modal>
  )
}
