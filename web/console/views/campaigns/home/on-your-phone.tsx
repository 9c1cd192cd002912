import { Button, Group, Stack, Text } from '@mantine/core'
import type { GameLinkAnswer } from '../../../../../src/http/answers/shapes.ts'
import { useAction } from '../../../parts/action.ts'
import { CopyText } from '../../../parts/copy.tsx'
import { giveSpins } from '../../../parts/grant.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { tellProblem } from '../../../parts/notify.ts'
import { QrCode } from '../../../parts/qr-code.tsx'
import { useApi, useMerchant } from '../../../session.tsx'
import { t } from '../../../texts.ts'

const spins = 3

/** A link for a new player with a few spins, to open on one's own phone. */
export function OnYourPhone({ campaign }: { campaign: string }) {
  const api = useApi()
  const { live } = useMerchant()
  const make = useAction({
    mutationFn: async () => {
      // A player with a past may have won all that one player can win.
      const playerId = `try-${crypto.randomUUID().slice(0, 8)}`
      await giveSpins(
        api,
        { playerId, spins, reason: t('phone.reason'), campaign },
        { 'Idempotency-Key': playerId },
      )
      const { link } = await api.post<GameLinkAnswer>(
        `/api/v1/players/${playerId}/links?${new URLSearchParams({ campaign })}`,
      )
      return { link, playerId }
    },
    onError: tellProblem,
  })
  return (
    <Stack gap="xs">
      <Text size="sm">{t(live ? 'phone.textLive' : 'phone.text', { count: spins })}</Text>
      {make.data === undefined ? null : <Code {...make.data} />}
      <Button
        variant={make.data === undefined ? 'filled' : 'default'}
        size="xs"
        leftSection={<Icon name="phone" size={16} />}
        loading={make.isPending}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => make.mutate()}
      >
        {t(make.data === undefined ? 'phone.make' : 'phone.again')}
      </Button>
    </Stack>
  )
}

function Code({ link, playerId }: { link: string; playerId: string }) {
  const isHere = /^(localhost|127\.|\[::1\])/.test(new URL(link).hostname)
  return (
    <Group gap="lg" align="flex-start">
      <QrCode text={link} label={t('phone.label')} />
      <Stack gap="xs" style={{ flex: '1 1 14rem' }}>
        <Text size="sm">{t(isHere ? 'phone.onlyHere' : 'phone.scan')}</Text>
        <Text size="xs" c="dimmed">
          {t('phone.player', { player: playerId })}
        </Text>
        <CopyText text={link} label={t('player.link')} />
      </Stack>
    </Group>
  )
}
