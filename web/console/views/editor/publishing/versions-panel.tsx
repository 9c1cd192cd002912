import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditAnswer, AuditPageAnswer } from '../../../../../src/http/answers/audit-log.ts'
import type { VersionAnswer, VersionsAnswer } from '../../../../../src/http/answers/versions.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { useAction } from '../../../parts/action.ts'
import { tellDone, tellProblem } from '../../../parts/notify.ts'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { useApi, useRead } from '../../../session.tsx'
import { t } from '../../../texts.ts'
import { VersionCard } from './version-card.tsx'

/** The published versions. An old one is restored by loading it into the draft and publishing it again. */
export function VersionsPanel(props: {
  slug: string
  isReadOnly: boolean
  onLoad: (document: WheelDocument) => void
}) {
  const { slug, isReadOnly, onLoad } = props
  const api = useApi()
  const path = `/api/v1/wheels/${slug}/versions`
  const versions = useRead<VersionsAnswer>(['versions', slug], path)
  const publications = usePublications(slug)
  const load = useAction({
    mutationFn: (version: number) => api.get<VersionAnswer>(`${path}/${version}`),
    onSuccess: ({ version, document }) => {
      onLoad(document)
      tellDone(t('versions.loaded', { version }))
    },
    onError: tellProblem,
  })
  return (
    <Loaded query={versions}>
      {({ versions: all }) =>
        all.length === 0 ? (
          <Paper>
            <Empty icon="history" title={t('wheels.neverPublished')} text={t('versions.noneText')} />
          </Paper>
        ) : (
          <Stack gap="sm">
            {all.map((one, index) => (
              <VersionCard
                key={one.version}
                slug={slug}
                version={one}
                publication={publications.get(one.version)}
              >
                <Group gap="xs">
                  <Text fw={650}>{t('versions.name', { version: one.version })}</Text>
                  {index === 0 ? <Badge color="teal">{t('versions.current')}</Badge> : null}
                </Group>
                {isReadOnly ? null : (
                  <Button
                    size="xs"
                    variant="default"
                    loading={load.isPending && load.variables === one.version}
                    onClick={() => load.mutate(one.version)}
                  >
                    {t('versions.load')}
                  </Button>
                )}
              </VersionCard>
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** Who published each version, as far back as the audit log is read. */
function usePublications(slug: string): Map<unknown, AuditAnswer> {
  const query = new URLSearchParams({
    subjectKind: 'wheel',
    subject: slug,
    action: 'wheel.publish',
    limit: '100',
  })
  const api = useApi()
  const page = useQuery({
    queryKey: [api.merchant, 'versions', slug, 'publications'],
    queryFn: ({ signal }) => api.get<AuditPageAnswer>(`/api/v1/audit-log?${query}`, signal),
  })
  const versionOf = ({ after }: AuditAnswer) =>
    after !== null && 'version' in after ? after.version : undefined
  return new Map(page.data?.entries.map((entry) => [versionOf(entry), entry]))
}
