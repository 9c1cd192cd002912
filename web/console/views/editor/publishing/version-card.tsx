import { Button, Collapse, Group, Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { AuditAnswer } from '../../../../../src/http/answers/audit-log.ts'
import type { VersionsAnswer } from '../../../../../src/http/answers/versions.ts'
import { CopyText } from '../../../parts/copy.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { formatTime, t } from '../../../texts.ts'
import { differences } from '../draft/change.ts'
import { Differences } from './differences.tsx'
import { useVersion } from './published.ts'

/** A published version: when and by whom, and on request what it changed, and its hash. */
export function VersionCard(props: {
  slug: string
  version: VersionsAnswer['versions'][number]
  publication: AuditAnswer | undefined
  children: ReactNode
}) {
  const { slug, publication, children } = props
  const { version, publishedAt, hash } = props.version
  const [opened, setOpened] = useState<'changes' | 'hash' | null>(null)
  const time = formatTime(publishedAt)
  const toggle = (name: 'changes' | 'hash') => () => setOpened(opened === name ? null : name)
  return (
    <Paper p="md" component="section" aria-label={t('versions.name', { version })}>
      <Group justify="space-between" gap="xs">
        {children}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {publication === undefined ? time : t('versions.by', { time, who: nameOf(publication.actor) })}
      </Text>
      <Group gap="xs" mt="xs">
        {version === 1 ? null : (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={opened === 'changes'}
            onClick={toggle('changes')}
          >
            {t('versions.changes')}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" aria-expanded={opened === 'hash'} onClick={toggle('hash')}>
          {t('versions.proof')}
        </Button>
      </Group>
      <Collapse expanded={opened !== null} transitionDuration={0}>
        {opened === 'changes' ? <VersionChanges slug={slug} version={version} /> : null}
        {opened === 'hash' ? (
          <Stack gap={4} mt="xs">
            <Text size="sm">{t('versions.proofText')}</Text>
            <CopyText text={hash} label={t('versions.proof')} />
          </Stack>
        ) : null}
      </Collapse>
    </Paper>
  )
}

/** The differences from the version before. */
function VersionChanges({ slug, version }: { slug: string; version: number }) {
  const before = useVersion(slug, version - 1)
  const after = useVersion(slug, version)
  return (
    <Loaded query={before}>
      {(one) => (
        <Loaded query={after}>
          {(other) => <Differences found={differences(one.document, other.document)} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function nameOf({ id, name, kind }: AuditAnswer['actor']): string {
  return kind === 'token' ? t('versions.token', { name: name ?? id }) : (name ?? id)
}
