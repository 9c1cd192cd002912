import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core'
import { t } from '../texts.ts'
import { Icon } from './icons.tsx'

/** A text to take along, with a button for it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <pre className="code-block" style={{ flex: 1 }} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyIcon text={text} label={label} />
    </Group>
  )
}

export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('action.copied') : t('action.copy')}>
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            aria-label={copied ? t('action.copied') : t('action.copyWhat', { what: label })}
          >
            <Icon name={copied ? 'check' : 'copy'} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
