import { Badge, Collapse, Text, Tooltip } from '@mantine/core'
import { memo } from 'react'
import { Icon } from '../../../parts/icons.tsx'
import { t } from '../../../texts.ts'
import { Grip, RowButtons } from './row-buttons.tsx'
import type { RowProps } from './row-props.ts'

/** A segment in the list, with its form below if it is open. */
export const SegmentRow = memo((props: RowProps) => {
  const { segment, index, isReadOnly, actions, children } = props
  const isOpen = children !== undefined
  return (
    <li
      className="segment"
      data-over={props.isOver}
      data-dragged={props.isDragged}
      onDragOver={(event) => actions.dragOver(event, index)}
      onDrop={(event) => actions.drop(event, index)}
    >
      <div className="segment-head">
        {isReadOnly ? null : <Grip {...props} />}
        <span className="swatch" style={{ background: segment.color }} aria-hidden="true" />
        <button
          type="button"
          className="segment-name"
          aria-expanded={isOpen}
          onClick={() => actions.toggle(segment.id)}
        >
          <span>
            {segment.icon === undefined ? '' : `${segment.icon} `}
            {segment.label === '' ? t('segment.number', { number: index + 1 }) : segment.label}
          </span>
          <Text component="span" size="xs" c="dimmed">
            {t(`prize.${segment.prize.kind}`)}
            {segment.stock === undefined
              ? ''
              : ` · ${t('segment.leftOf', { left: Math.max(0, segment.stock - props.given), all: segment.stock })}`}
            {props.isFallback ? (
              <Text component="span" inherit hiddenFrom="xs">
                {` · ${t('segment.fallback')}`}
              </Text>
            ) : null}
          </Text>
        </button>
        {props.isFallback ? (
          <Tooltip label={t('segment.fallbackHint')}>
            <Badge color="gray" visibleFrom="xs">
              {t('segment.fallback')}
            </Badge>
          </Tooltip>
        ) : null}
        <Text className="number nowrap" fw={650} size="sm">
          {props.share}
        </Text>
        <span style={{ transform: isOpen ? 'rotate(180deg)' : 'none' }}>
          <Icon name="chevron" size={16} />
        </span>
      </div>
      <Collapse expanded={isOpen} transitionDuration={0}>
        {isOpen ? (
          <div className="segment-body">
            {children}
            {isReadOnly ? null : <RowButtons {...props} />}
          </div>
        ) : null}
      </Collapse>
    </li>
  )
})
