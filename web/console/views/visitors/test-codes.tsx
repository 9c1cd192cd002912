/** The codes of a test merchant's visitors, which are mailed to nobody. */
import { Code, Paper, Text, Title } from '@mantine/core'
import type { EntryCodesAnswer } from '../../../../src/http/answers/entry-list.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useRead } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'

const refreshMs = 5_000

export function TestCodes({ campaign }: { campaign: string }) {
  const path = `/api/v1/campaigns/${campaign}/entries/codes`
  const codes = useRead<EntryCodesAnswer>(['campaigns', 'entry-codes', campaign], path, {
    refetchInterval: refreshMs,
  })
  return (
    <Paper component="section" aria-labelledby="visitors-codes" className="card-flush" p={0}>
      <Title order={2} id="visitors-codes" px="md" pt="md">
        {t('visitors.codes')}
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="md">
        {t('visitors.codesText')}
      </Text>
      <Loaded query={codes}>
        {(found) =>
          found.codes.length === 0 ? (
            <Text size="sm" px="md" pb="md">
              {t('visitors.noCodes')}
            </Text>
          ) : (
            <DataTable
              label={t('visitors.codes')}
              items={found.codes}
              keyOf={({ address, code }) => `${address} ${code}`}
              columns={[
                {
                  head: t('visitors.who'),
                  cell: ({ address }) => <span className="wrap-anywhere">{address}</span>,
                },
                {
                  head: t('visitors.code'),
                  cell: ({ code }) => (
                    <>
                      <Code fz="md">{code}</Code> <CopyIcon text={code} label={t('visitors.code')} />
                    </>
                  ),
                },
                {
                  head: t('visitors.codeUntil'),
                  cell: ({ expiresAt }) => <span className="nowrap">{formatTime(expiresAt)}</span>,
                },
                { head: t('visitors.triesLeft'), cell: ({ attemptsLeft }) => attemptsLeft },
              ]}
            />
          )
        }
      </Loaded>
    </Paper>
  )
}
