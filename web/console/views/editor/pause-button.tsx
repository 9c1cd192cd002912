import { Button } from '@mantine/core'
import type { WheelAnswer, WheelSummary } from '../../../../src/http/answers/wheels.ts'
import { useAction } from '../../parts/action.ts'
import { Icon } from '../../parts/icons.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'

export function PauseButton(props: {
  slug: string
  isPaused: boolean
  onChanged: (summary: WheelSummary) => void
}) {
  const { slug, isPaused, onChanged } = props
  const api = useApi()
  const refresh = useRefresh()
  const pause = useAction({
    mutationFn: (isPause: boolean) =>
      isPause
        ? api.put<WheelAnswer>(`/api/v1/wheels/${slug}/pause`).then(({ data }) => data)
        : api.del<WheelAnswer>(`/api/v1/wheels/${slug}/pause`),
    onSuccess: async (changed) => {
      onChanged(changed)
      await refresh('wheels')
      tellDone(changed.pausedAt === null ? t('editor.resumed') : t('editor.pausedNow'))
    },
    onError: tellProblem,
  })
  return (
    <Button
      variant="default"
      loading={pause.isPending}
      leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={16} />}
      onClick={() => pause.mutate(!isPaused)}
    >
      {isPaused ? t('editor.resume') : t('editor.pause')}
    </Button>
  )
}
