/** Game links for many players: a new list, and the lists whose links still work, with their files. */
import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { LinkListAnswer, LinkListsAnswer } from '../../../../src/http/answers/link-lists.ts'
import type { MerchantAnswer } from '../../../../src/http/answers/settings.ts'
import { useAction } from '../../parts/action.ts'
import { CampaignOf } from '../../parts/campaign-of.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FileMenu } from '../../parts/export-menu.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { Empty, Loaded, PageHead } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useApi, useMay, useRead, useRefresh } from '../../session.tsx'
import { formatNumber, formatTime, t } from '../../texts.ts'
import { NewList } from './new-list.tsx'

const lookMs = 1_500

export function LinkLists() {
  const may = useMay()
  const merchant = useRead<MerchantAnswer>(['merchant', 'link lifetime'], '/api/v1/merchant')
  const lists = useRead<LinkListsAnswer>(['link-lists'], '/api/v1/link-lists', {
    refetchInterval: ({ state }) =>
      state.data?.lists.some(({ finishedAt }) => finishedAt === null) === true ? lookMs : false,
  })
  if (!may.edit)
    return (
      <Paper>
        <Empty icon="link" title={t('linkLists.notYou')} text={t('linkLists.notYouText')} />
      </Paper>
    )
  return (
    <>
      <PageHead title={t('nav.links')} text={t('linkLists.text')} />
      <Stack gap="lg">
        <Loaded query={merchant}>
          {({ linkLifetimeSeconds }) => <NewList lifetimeSeconds={linkLifetimeSeconds} />}
        </Loaded>
        <Paper component="section" aria-labelledby="lists-title" className="card-flush" p={0}>
          <Title order={2} id="lists-title" p="lg" pb="xs">
            {t('linkLists.lists')}
          </Title>
          <Loaded query={lists}>{({ lists: found }) => <Lists lists={found} />}</Loaded>
        </Paper>
      </Stack>
    </>
  )
}

function Lists({ lists }: { lists: LinkListAnswer[] }) {
  const [ending, setEnding] = useState<Ending | null>(null)
  if (lists.length === 0)
    return <Empty icon="link" title={t('linkLists.none')} text={t('linkLists.noneText')} />
  return (
    <>
      <DataTable
        label={t('linkLists.lists')}
        items={lists}
        keyOf={({ list }) => list}
        columns={[
          {
            head: t('links.made'),
            cell: ({ createdAt, campaign }) => (
              <div>
                <span className="nowrap">{formatTime(createdAt)}</span>
                <CampaignOf campaign={campaign} />
              </div>
            ),
          },
          {
            head: t('linkLists.ends'),
            cell: ({ expiresAt }) => <span className="nowrap">{formatTime(expiresAt)}</span>,
          },
          { head: t('nav.links'), cell: (list) => <Made list={list} /> },
          {
            head: '',
            right: true,
            cell: (list) => (
              <Group gap="xs" justify="flex-end">
                {list.finishedAt === null ? null : (
                  <FileMenu files={[fileOf(list)]} label="reports.download" size="xs" />
                )}
                <Button size="xs" variant="default" onClick={() => setEnding({ list, how: 'delete' })}>
                  {t('linkLists.delete')}
                </Button>
                <Button size="xs" variant="default" onClick={() => setEnding({ list, how: 'revoke' })}>
                  {t('linkLists.revoke')}
                </Button>
              </Group>
            ),
          },
        ]}
      />
      <ConfirmEnd ending={ending} onClose={() => setEnding(null)} />
    </>
  )
}

/** Without its list, a link still works until it is revoked. */
type Ending = { list: LinkListAnswer; how: 'delete' | 'revoke' }

function ConfirmEnd({ ending, onClose }: { ending: Ending | null; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const end = useAction({
    mutationFn: ({ list: { list }, how }: Ending) =>
      how === 'delete'
        ? api.del(`/api/v1/link-lists/${list}`)
        : api.put(`/api/v1/link-lists/${list}/revocation`).then(() => undefined),
    onSuccess: async () => {
      onClose()
      await refresh('link-lists')
    },
    onError: tellProblem,
  })
  const how = ending?.how ?? 'delete'
  return (
    <Confirm
      opened={ending !== null}
      title={t(`linkLists.${how}Title`)}
      text={t(`linkLists.${how}Text`)}
      action={t(`linkLists.${how}`)}
      isRunning={end.isPending}
      onConfirm={() => ending !== null && end.mutate(ending)}
      onClose={onClose}
    />
  )
}

function fileOf({ list, campaign, createdAt }: LinkListAnswer) {
  const name = ['links', campaign === '*' ? 'lobby' : campaign, createdAt.slice(0, 10)].join('-')
  return { path: `/api/v1/link-lists/${list}/export`, name }
}

/** The progress, and then the result. */
function Made({ list: { made, refused, players, finishedAt } }: { list: LinkListAnswer }) {
  if (finishedAt === null)
    return (
      <div style={{ minWidth: 140 }}>
        <Text size="sm">{t('linkLists.progress', { made: made + refused, all: players })}</Text>
        <Progress value={((made + refused) / players) * 100} animated aria-label={t('linkLists.lists')} />
      </div>
    )
  return (
    <div>
      {formatNumber(made)}
      {refused === 0 ? null : (
        <Text size="xs" c="orange.8">
          {t('linkLists.refused', { count: refused })}
        </Text>
      )}
    </div>
  )
}
