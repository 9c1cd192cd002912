/** The addresses that refuse mail, for those who may read personal data. */
import { Button, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { DeadAddressesAnswer } from '../../../../src/http/answers/messages.ts'
import { Pages, usePages } from '../../pages.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { Empty } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useApi, useMay, useRefresh } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'
import { reasonText } from './reason-text.ts'
import { playerPath } from '../players.tsx'

type Dead = DeadAddressesAnswer['deadAddresses'][number]
const path = '/api/v1/messages/dead-addresses'

export function DeadAddresses() {
  const may = useMay()
  const dead = usePages<DeadAddressesAnswer>(['dead-addresses'], 'deadAddresses', path)
  const [chosen, choose] = useState<Dead | null>(null)
  return (
    <Paper className="card-flush" p={0}>
      <Text size="sm" c="dimmed" p="md">
        {t('messages.deadText')}
      </Text>
      <Pages
        query={dead}
        empty={<Empty icon="mail" title={t('messages.noDead')} text={t('messages.noDeadText')} />}
      >
        {(items) => (
          <DataTable
            label={t('messages.dead')}
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { head: t('messages.address'), cell: (one) => <Address one={one} /> },
              { head: t('messages.player'), cell: (one) => <Player one={one} /> },
              { head: t('messages.why'), cell: ({ reason }) => reasonText(reason) },
              {
                head: t('messages.since'),
                cell: ({ deadAt }) => <span className="nowrap">{formatTime(deadAt)}</span>,
              },
              ...(may.edit
                ? [
                    {
                      head: '',
                      cell: (one: Dead) => (
                        <Button
                          variant="default"
                          size="xs"
                          aria-label={t('messages.liftWhich', {
                            address: one.address ?? t('messages.noLonger'),
                          })}
                          onClick={() => choose(one)}
                        >
                          {t('messages.lift')}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Pages>
      <Lift one={chosen} onClose={() => choose(null)} />
    </Paper>
  )
}

function Address({ one: { address } }: { one: Dead }) {
  return address === null ? (
    <Text size="sm" c="dimmed">
      {t('messages.noLonger')}
    </Text>
  ) : (
    <span className="wrap-anywhere">{address}</span>
  )
}

function Player({ one: { playerId } }: { one: Dead }) {
  const { merchant } = useApi()
  if (playerId === null) return '–'
  return (
    <Link className="row-link wrap-anywhere" href={playerPath(merchant, playerId)}>
      {playerId}
    </Link>
  )
}

function Lift({ one, onClose }: { one: Dead | null; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const lift = useAction({
    mutationFn: (id: string) => api.del(`${path}/${id}`),
    onSuccess: async () => {
      tellDone(t('messages.lifted'))
      await refresh('dead-addresses')
      onClose()
    },
    onError: tellProblem,
  })
  return (
    <Confirm
      opened={one !== null}
      title={t('messages.liftTitle')}
      text={t('messages.liftText', { address: one?.address ?? t('messages.noLonger') })}
      action={t('messages.lift')}
      isRunning={lift.isPending}
      onConfirm={() => one !== null && lift.mutate(one.id)}
      onClose={onClose}
    />
  )
}
