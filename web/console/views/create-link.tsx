/** A game link for one player: the campaign, how long it works, and then the link with its QR code. */
import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { LinkAnswer } from '../../../src/http/answers/links.ts'
import type { MerchantAnswer } from '../../../src/http/answers/settings.ts'
import { linkLifetimeSecondsMax, linkLifetimeSecondsMin } from '../../../src/limits.ts'
import { useAction } from '../parts/action.ts'
import { CampaignChoice, useCampaignFor } from '../parts/campaign-choice.tsx'
import { CopyText } from '../parts/copy.tsx'
import { DurationField } from '../parts/duration-field.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellProblem } from '../parts/notify.ts'
import { QrCode, QrFiles } from '../parts/qr-code.tsx'
import { useApi, useRead } from '../session.tsx'
import { formatTime, t } from '../texts.ts'
import type { DialogProps } from './player-dialogs.tsx'
import { useChosenCampaign } from './player-lists.tsx'

export function CreateLink({ player, path, opened, onClose }: DialogProps) {
  const api = useApi()
  const merchant = useRead<MerchantAnswer>(['merchant', 'link lifetime'], '/api/v1/merchant')
  const ofLists = useChosenCampaign()
  const [chosenCampaign, setCampaign] = useState<string>()
  const campaign = useCampaignFor(chosenCampaign ?? ofLists ?? '')
  const [chosenLifetime, setLifetime] = useState<number>()
  const expiresIn = chosenLifetime ?? merchant.data?.linkLifetimeSeconds
  const make = useAction({
    mutationFn: () =>
      api.post<LinkAnswer>(
        `${path}/links?${new URLSearchParams({ campaign, expiresIn: String(expiresIn) })}`,
      ),
    onError: tellProblem,
  })
  const close = () => {
    make.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={650}>{t('player.link')}</Text>}>
      {make.data === undefined ? (
        <Form onSubmit={() => make.mutate()}>
          <Text size="sm">{t('player.linkText')}</Text>
          <CampaignChoice use="link" chosen={campaign} onChange={setCampaign} />
          {expiresIn === undefined ? null : (
            <DurationField
              label={t('linkLists.lifetime')}
              value={expiresIn}
              minSeconds={linkLifetimeSecondsMin}
              maxSeconds={linkLifetimeSecondsMax}
              onChange={setLifetime}
            />
          )}
          <Submit loading={make.isPending} disabled={campaign === '' || expiresIn === undefined}>
            {t('player.makeLink')}
          </Submit>
        </Form>
      ) : (
        <Made link={make.data} name={`link-${player.playerId}`} />
      )}
    </Modal>
  )
}

function Made({ link: { link, expiresAt }, name }: { link: LinkAnswer; name: string }) {
  return (
    <Stack>
      <Text size="sm">{t('player.linkUntil', { time: formatTime(expiresAt) })}</Text>
      <CopyText text={link} label={t('player.link')} />
      <QrCode text={link} label={t('player.linkQr')} />
      <QrFiles text={link} name={name} />
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<Icon name="external" size={16} />}
      >
        {t('player.openLink')}
      </Button>
    </Stack>
  )
}
