import { Anchor, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'
import { PageHead } from '../parts/states.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { t } from '../texts.ts'
import './developers/developers.css'
import { Events } from './developers/events.tsx'
import { Examples } from './developers/examples.tsx'
import { Webhooks } from './developers/webhooks.tsx'
import { Embed } from './embed.tsx'
import { Requests } from './requests.tsx'
import { Tokens } from './tokens.tsx'

export function Developers() {
  return (
    <>
      <PageHead title={t('nav.developers')} text={t('developers.text')} />
      <AddressTabs
        label={t('nav.developers')}
        tabs={[
          { value: 'tokens', label: t('developers.tokens'), content: <Tokens /> },
          { value: 'events', label: t('developers.events'), content: <Events /> },
          { value: 'webhooks', label: t('developers.webhooks'), content: <Webhooks /> },
          { value: 'examples', label: t('developers.examples'), content: <Examples /> },
          { value: 'embed', label: t('developers.embed'), content: <Embed /> },
          { value: 'requests', label: t('developers.requests'), content: <Requests /> },
          { value: 'docs', label: t('developers.docs'), content: <Docs /> },
        ]}
      />
    </>
  )
}

function Docs() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      <DocsCard icon="book" href="/docs" title={t('nav.reference')} text={t('developers.referenceText')} />
      <DocsCard
        icon="warning"
        href="/docs/errors"
        title={t('developers.errors')}
        text={t('developers.errorsText')}
      />
      <DocsCard
        icon="developers"
        href="/openapi.json"
        title={t('developers.openapi')}
        text={t('developers.openapiText')}
      />
      <DocsCard
        icon="info"
        href="/docs/guides"
        title={t('developers.guides')}
        text={t('developers.guidesText')}
      />
      <DocsCard
        icon="check"
        href="/docs/versions"
        title={t('developers.versions')}
        text={t('developers.versionsText')}
      />
      <DocsCard
        icon="history"
        href="/docs/changelog"
        title={t('developers.changelog')}
        text={t('developers.changelogText')}
      />
    </SimpleGrid>
  )
}

function DocsCard(props: { icon: IconName; href: string; title: string; text: string }) {
  return (
    <Paper>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <span className="tile">
          <Icon name={props.icon} />
        </span>
        <div>
          <Anchor href={props.href} fw={650} c="inherit">
            {props.title}
          </Anchor>
          <Text size="sm" c="dimmed" mt={2}>
            {props.text}
          </Text>
        </div>
      </Group>
    </Paper>
  )
}
