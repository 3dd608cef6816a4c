import { hideOthers } from 'aria-hidden'
import { Content, Portal, Root, Title } from 'radix-ui/dialog'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useOrganizationId } from '../../data/session.ts'
import type { ThemeMode } from '@bey/contract'
import type { Command, CommandContext } from '../../lib/command.ts'
import { storage } from '../../lib/storage.ts'
import { useFocusReturn } from '../../ui/layer.tsx'
import { isFound } from './item.ts'
import type { PaletteItem } from './item.ts'
import { kindOf } from './kinds.tsx'
import { isInPreview, PaletteBody } from './palette-body.tsx'
import { addRecent } from './recents.ts'
import { runAction } from './run-action.ts'

export interface PaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  targets: Omit<CommandContext, 'navigate'>
  commands: readonly Command[]
  theme: ThemeMode
}

/** The command palette: every page and action, by name. */
export default function Palette({ open, onOpenChange, targets, commands, theme }: PaletteProps) {
  const router = useRouter()
  const organizationId = useOrganizationId()
  const focusReturn = useFocusReturn()
  // What was chosen happens once the palette is gone and the focus is back, or it would take the focus from it.
  const afterwards = useRef<() => void>(undefined)
  const content = useRef<HTMLElement>(null)
  const standAlone = useCallback((palette: HTMLElement | null) => {
    content.current = palette
    return palette ? hideOthers(palette) : undefined
  }, [])
  const [dialog, setDialog] = useState<{ draw: (close: () => void) => ReactNode }>()

  const finish = (item: PaletteItem, act: () => void) => {
    if (!isFound(item))
      addRecent(storage, 'entity' in item ? { id: item.id, organizationId } : { id: item.id })
    afterwards.current = () => runAction(act)
    onOpenChange(false)
  }
  const choose = (item: PaletteItem) => {
    finish(item, () => kindOf(item).run(item, { navigate: router.navigate, ...targets }))
  }
  return (
    <>
      {/*
       * To assistive technology it is modal. Radix's own modal also locks scrolling and the pointer by styles of the
       * body that every element inherits: the whole page was styled anew twice, which was half of the opening time.
       * The ground under the palette takes the pointer instead, and the body does not scroll.
       */}
      <Root open={open} onOpenChange={onOpenChange} modal={false}>
        <Portal>
          <div className="fixed inset-0 z-50 bg-scrim" />
          <Content
            ref={standAlone}
            aria-modal
            onFocusOutside={(event) => {
              event.preventDefault()
              const { target } = event.detail.originalEvent
              // A dialog that closed a moment before gives the focus back to the page; one above keeps it.
              if (target instanceof Element && !target.closest('[role="dialog"]')) searchIn(content.current)
            }}
            // As over every other layer, the browser's own menu is opened on the ground and closes nothing.
            onPointerDownOutside={(event) => {
              if (opensMenu(event.detail.originalEvent)) event.preventDefault()
            }}
            {...focusReturn}
            onCloseAutoFocus={(event) => {
              focusReturn.onCloseAutoFocus(event)
              const act = afterwards.current
              afterwards.current = undefined
              act?.()
            }}
            onEscapeKeyDown={(event) => {
              if (isInPreview(event.target)) event.preventDefault()
            }}
            aria-describedby={undefined}
            // The preview lives beside the list: between and below them one clicks outside.
            style={{ pointerEvents: 'none' }}
            className="fixed top-[max(1rem,calc((100dvh-600px)/3))] left-1/2 z-50 h-[min(600px,calc(100dvh-2rem))] w-[min(620px,calc(100vw-1.5rem))] -translate-x-1/2 outline-none min-[1064px]:left-[min(calc(50vw-310px),calc(100vw-1048px))] min-[1064px]:w-[1028px] min-[1064px]:translate-x-0"
          >
            <Title className="sr-only">Command palette</Title>
            <PaletteBody
              onChoose={choose}
              onOpen={(item, path) => finish(item, () => void router.navigate({ href: path }))}
              onAsk={(item, draw) => finish(item, () => setDialog({ draw }))}
              setting={{ commands, theme, now: currentTime }}
            />
          </Content>
        </Portal>
      </Root>
      {dialog?.draw(() => setDialog(undefined))}
    </>
  )
}

const currentTime = () => new Date()

function searchIn(palette: HTMLElement | null) {
  palette?.querySelector('input')?.focus()
}

const opensMenu = ({ button, ctrlKey }: PointerEvent) => button === 2 || (button === 0 && ctrlKey)
