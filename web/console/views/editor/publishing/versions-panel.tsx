import { Badge, Button, Group, Paper, Table, Text } from '@mantine/core'
import type { VersionAnswer, VersionsAnswer } from '../../../../../src/http/answers/versions.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { useAction } from '../../../parts/action.ts'
import { tellDone, tellProblem } from '../../../parts/notify.ts'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { useApi, useRead } from '../../../session.tsx'
import { formatTime, t } from '../../../texts.ts'

/** The published versions. An old one is restored by loading it into the draft and publishing it again. */
export function VersionsPanel(props: {
  slug: string
  isReadOnly: boolean
  onLoad: (document: WheelDocument) => void
}) {
  const api = useApi()
  const versions = useRead<VersionsAnswer>(['versions', props.slug], `/api/v1/wheels/${props.slug}/versions`)
  const load = useAction({
    mutationFn: (version: number) =>
      api.get<VersionAnswer>(`/api/v1/wheels/${props.slug}/versions/${version}`),
    onSuccess: ({ version, document }) => {
      props.onLoad(document)
      tellDone(t('versions.loaded', { version }))
    },
    onError: tellProblem,
  })
  return (
    <Paper className="card-flush" p={0}>
      <Loaded query={versions}>
        {(data) =>
          data.versions.length === 0 ? (
            <Empty icon="history" title={t('wheels.neverPublished')} text={t('versions.noneText')} />
          ) : (
            <div className="scroll" tabIndex={0} role="group" aria-label={t('editor.versions')}>
              <Table className="table">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th pl="lg">{t('versions.version')}</Table.Th>
                    <Table.Th>{t('versions.when')}</Table.Th>
                    <Table.Th>{t('versions.hash')}</Table.Th>
                    <Table.Td />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.versions.map((one, index) => (
                    <VersionRow
                      key={one.version}
                      version={one}
                      isCurrent={index === 0}
                      isLoading={load.isPending && load.variables === one.version}
                      onLoad={props.isReadOnly ? undefined : () => load.mutate(one.version)}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )
        }
      </Loaded>
    </Paper>
  )
}

function VersionRow(props: {
  version: VersionsAnswer['versions'][number]
  isCurrent: boolean
  isLoading: boolean
  onLoad: (() => void) | undefined
}) {
  const { version, publishedAt, hash } = props.version
  return (
    <Table.Tr>
      <Table.Td pl="lg">
        <Group gap="xs" wrap="nowrap">
          <Text fw={650} size="sm">
            {version}
          </Text>
          {props.isCurrent ? <Badge color="teal">{t('versions.current')}</Badge> : null}
        </Group>
      </Table.Td>
      <Table.Td className="nowrap">{formatTime(publishedAt)}</Table.Td>
      <Table.Td className="mono" title={hash}>
        {hash.slice(0, 12)}…
      </Table.Td>
      <Table.Td ta="right" pr="lg">
        {props.onLoad === undefined ? null : (
          <Button size="xs" variant="default" loading={props.isLoading} onClick={props.onLoad}>
            {t('versions.load')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
