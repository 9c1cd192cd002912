import { Button, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import type { LiveLink, LiveLinksAnswer } from '../../../src/http/answers/links.ts'
import { Pages, usePages } from '../pages.tsx'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { CampaignOf } from '../parts/campaign-of.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi, useMay, useRefresh } from '../session.tsx'
import { formatTime, t } from '../texts.ts'
import { ListBar, useChosenCampaign } from './player-lists.tsx'

/** The player's active game links. */
export function PlayerLinks({ path, playerId }: { path: string; playerId: string }) {
  const may = useMay()
  const campaign = useChosenCampaign()
  const links = usePages<LiveLinksAnswer>(['links', playerId], 'links', `${path}/links`, { campaign })
  const [chosen, setChosen] = useState<LiveLink | 'all' | null>(null)
  const revoke = useRevocation({ path, playerId, onDone: () => setChosen(null) })
  return (
    <Paper className="card-flush" p={0}>
      <ListBar playerId={playerId} />
      <Pages query={links} empty={<Empty icon="link" title={t('links.none')} text={t('links.noneText')} />}>
        {(items) => (
          <>
            <LinkTable links={items} onRevoke={setChosen} />
            {may.serve && items.length > 1 ? (
              <Button m="md" size="xs" variant="light" color="red" onClick={() => setChosen('all')}>
                {t('links.revokeAll')}
              </Button>
            ) : null}
          </>
        )}
      </Pages>
      <Confirm
        opened={chosen !== null}
        title={chosen === 'all' ? t('links.revokeAll') : t('links.revoke')}
        text={chosen === 'all' ? t('links.revokeAllText') : t('links.revokeText')}
        action={chosen === 'all' ? t('links.revokeAll') : t('links.revoke')}
        isRunning={revoke.isPending}
        onConfirm={() => chosen !== null && revoke.mutate(chosen)}
        onClose={() => setChosen(null)}
      />
    </Paper>
  )
}

function useRevocation({ path, playerId, onDone }: { path: string; playerId: string; onDone: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  return useAction({
    mutationFn: async (which: LiveLink | 'all') => {
      if (which === 'all') await api.put(`${path}/links/revocation`)
      else await api.put(`/api/v1/links/${which.linkId}/revocation`)
    },
    onSuccess: async (_, which) => {
      onDone()
      tellDone(which === 'all' ? t('links.allRevoked') : t('links.revoked'))
      await refresh('links', playerId)
    },
    onError: tellProblem,
  })
}

function LinkTable({ links, onRevoke }: { links: LiveLink[]; onRevoke: (link: LiveLink) => void }) {
  const may = useMay()
  return (
    <DataTable
      label={t('player.links')}
      items={links}
      keyOf={(link) => link.linkId}
      columns={[
        {
          head: t('links.made'),
          cell: (link) => (
            <div>
              <span className="nowrap">{formatTime(link.createdAt)}</span>
              <CampaignOf campaign={link.campaign} />
              {link.opens === 'wallet' ? (
                <Text size="xs" c="dimmed">
                  {t('links.wallet')}
                </Text>
              ) : null}
            </div>
          ),
        },
        {
          head: t('links.expires'),
          cell: (link) => <span className="nowrap">{formatTime(link.expiresAt)}</span>,
        },
        {
          head: t('links.id'),
          cell: (link) => (
            <Text component="span" size="xs" c="dimmed" className="mono wrap-anywhere">
              {link.linkId}
            </Text>
          ),
        },
        {
          head: '',
          right: true,
          cell: (link) =>
            may.serve ? (
              <Button size="xs" variant="default" onClick={() => onRevoke(link)}>
                {t('links.revoke')}
              </Button>
            ) : null,
        },
      ]}
    />
  )
}
