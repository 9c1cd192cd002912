import { Anchor, Group, Paper, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Waiting } from '../../../parts/states.tsx'
import { useApi, useMay } from '../../../session.tsx'
import { t } from '../../../texts.ts'
import { Preview } from '../../editor/preview.tsx'

/** The wheel as players see it now, or its draft before the first publication. */
export function WheelNow(props: { campaign: CampaignAnswer; wheel: WheelDocument | undefined }) {
  const { wheel: slug, state, nextOpensAt, endsAt } = props.campaign
  const { merchant } = useApi()
  const may = useMay()
  const isDraft = state === 'draft'
  const opening = useMemo(
    () => (isDraft ? undefined : { isOpen: state === 'open', opensAt: nextOpensAt, closesAt: endsAt }),
    [isDraft, state, nextOpensAt, endsAt],
  )
  return (
    <Paper component="section" aria-labelledby="wheel-now-title">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="wheel-now-title">
          {t(isDraft ? 'home.wheelDraft' : 'home.wheel')}
        </Title>
        <Anchor component={Link} size="sm" href={`/m/${merchant}/wheels/${slug}`}>
          {t(may.edit ? 'home.editWheel' : 'home.openWheel')}
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('home.wheelText')}
      </Text>
      {props.wheel === undefined ? (
        <Waiting />
      ) : (
        <Preview wheel={props.wheel} language={null} opening={opening} />
      )}
    </Paper>
  )
}
