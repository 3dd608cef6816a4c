import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { useEffect, useRef } from 'react'

export interface XtermViewProps {
  label: string
  onTerminal: (terminal: Terminal | undefined, search: SearchAddon | undefined) => void
}

/** The terminal itself: copies what is selected, pastes, follows its box, finds text and opens links. */
export function XtermView({ label, onTerminal }: XtermViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const ready = useRef(onTerminal)
  useEffect(() => {
    const element = box.current
    const tell = ready.current
    if (!element) return
    const style = getComputedStyle(element)
    const color = (name: string) => style.getPropertyValue(name).trim()
    const terminal = new Terminal({
      fontFamily: style.fontFamily,
      fontSize: 13,
      cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      scrollback: 10_000,
      screenReaderMode: false,
      theme: {
        background: color('--sunken'),
        foreground: color('--text'),
        cursor: color('--text'),
        selectionBackground: color('--accent-soft'),
      },
    })
    const fit = new FitAddon()
    const search = new SearchAddon()
    terminal.loadAddon(fit)
    terminal.loadAddon(search)
    terminal.loadAddon(
      new WebLinksAddon((_event, uri) => {
        window.open(uri, '_blank', 'noopener,noreferrer')
      }),
    )
    terminal.open(element)
    terminal.textarea?.setAttribute('aria-label', label)
    // Ctrl+Shift+C copies, since Ctrl+C is for the program; pasting is the browser's own.
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey || event.code !== 'KeyC') return true
      if (terminal.hasSelection()) void navigator.clipboard.writeText(terminal.getSelection())
      event.preventDefault()
      return false
    })
    fit.fit()
    terminal.focus()
    const observer = new ResizeObserver(() => fit.fit())
    observer.observe(element)
    tell(terminal, search)
    return () => {
      observer.disconnect()
      tell(undefined, undefined)
      terminal.dispose()
    }
  }, [label])
  return <div ref={box} className="min-h-0 flex-1 overflow-hidden bg-sunken py-2 pl-(--gutter) font-mono" />
}
