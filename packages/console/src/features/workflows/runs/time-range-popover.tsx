import type { ComponentProps } from 'react'
import { Popover } from '../../../ui/popover.tsx'
import { TimeRangeForm } from './time-range-form.tsx'

type TimeRangePopoverProps = ComponentProps<typeof TimeRangeForm> &
  Pick<ComponentProps<typeof Popover>, 'trigger' | 'open' | 'onOpenChange'>

export function TimeRangePopover({ trigger, open, onOpenChange, ...form }: TimeRangePopoverProps) {
  return (
    <Popover label="Runs between two times" {...{ trigger, open, onOpenChange }}>
      <TimeRangeForm {...form} />
    </Popover>
  )
}
