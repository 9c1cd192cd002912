/** Where visitors enter: the address, its QR code, and the HTML for a merchant's own page. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { EntrySettingsAnswer } from '../../../../src/http/answers/entry-settings.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { QrCode, QrFiles } from '../../parts/qr-code.tsx'
import { Loaded } from '../../parts/states.tsx'
import { t } from '../../texts.ts'
import { useEmbedScript } from '../embed-script.ts'
import { MissingOrigins } from '../missing-origins.tsx'
import { entrySnippetOf } from '../snippet.ts'

export function EntryAddress({ entry }: { entry: EntrySettingsAnswer }) {
  const { address, isOpen } = entry
  return (
    <Paper component="section" aria-labelledby="visitors-address">
      <Title order={2} id="visitors-address" mb="sm">
        {t('visitors.address')}
      </Title>
      <Stack gap="md">
        {isOpen ? null : <Text size="sm">{t('visitors.addressClosed')}</Text>}
        <CopyText text={address} label={t('visitors.address')} />
        {isOpen ? (
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<Icon name="external" size={16} />}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('visitors.try')}
          </Button>
        ) : null}
        <Picture entry={entry} />
        <Snippet address={address} />
      </Stack>
    </Paper>
  )
}

function Picture({ entry: { address, campaign } }: { entry: EntrySettingsAnswer }) {
  return (
    <Group gap="lg" align="flex-start">
      <QrCode text={address} label={t('visitors.qrLabel')} />
      <Stack gap="xs" style={{ flex: '1 1 14rem' }}>
        <Title order={3} size="h4">
          {t('visitors.qr')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('visitors.qrText')}
        </Text>
        <QrFiles text={address} name={`${campaign}-qr`} />
      </Stack>
    </Group>
  )
}

function Snippet({ address }: { address: string }) {
  const script = useEmbedScript()
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {t('visitors.embed')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('visitors.embedText')}
      </Text>
      <MissingOrigins />
      <Loaded query={script}>
        {(found) => <CopyText label={t('embed.snippet')} text={entrySnippetOf(found, address)} />}
      </Loaded>
    </Stack>
  )
}
