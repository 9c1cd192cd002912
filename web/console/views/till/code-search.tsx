import { ActionIcon, Group, TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../texts.ts'
import { hasBarcodeDetector } from './barcode-detector.ts'
import { CameraScan } from './camera-scan.tsx'

export function CodeSearch(props: {
  ref: Ref<HTMLInputElement>
  typed: string
  onType: (typed: string) => void
  onSearch: (code: string) => void
}) {
  const { ref, typed, onType, onSearch } = props
  const [isScanning, setScanning] = useState(false)
  return (
    <>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(typed)
        }}
      >
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            ref={ref}
            style={{ flex: 1 }}
            label={t('prizes.byCode')}
            description={t('prizes.byCodeHint')}
            placeholder={t('prizes.codePlaceholder')}
            size="md"
            leftSection={<Icon name="search" size={18} />}
            value={typed}
            onChange={(event) => onType(event.currentTarget.value)}
            // A scanner types the code and presses Enter; the next scan replaces it.
            onFocus={(event) => event.currentTarget.select()}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            classNames={{ input: 'mono' }}
          />
          {hasBarcodeDetector() ? (
            <ActionIcon
              size={42}
              variant="default"
              aria-label={t(isScanning ? 'till.closeCamera' : 'till.scan')}
              aria-expanded={isScanning}
              onClick={() => setScanning(!isScanning)}
            >
              <Icon name={isScanning ? 'close' : 'camera'} />
            </ActionIcon>
          ) : null}
        </Group>
      </form>
      {isScanning ? (
        <CameraScan
          onFound={(code) => {
            setScanning(false)
            onSearch(code)
          }}
        />
      ) : null}
    </>
  )
}
