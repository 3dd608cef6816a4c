import type { LiveConnection } from '../../data/live.ts'
import type { HealthState } from '@bey/contract'

export type FaviconState = 'healthy' | 'degraded' | 'failing' | 'disconnected'

/** What the tab's icon shows. A connection that is lost outranks what was known before. */
export function faviconState(
  connection: LiveConnection['state'],
  hasBeenLive: boolean,
  health: HealthState | undefined,
): FaviconState {
  // While the page connects for the first time, nothing is lost yet.
  if (connection === 'disconnected' || (connection === 'reconnecting' && hasBeenLive)) return 'disconnected'
  return health === 'failing' || health === 'degraded' ? health : 'healthy'
}

// Brighter than the tokens of text, which look brown at 16 px. The tab follows the browser, not the console's theme.
const style =
  '<style>.m{fill:#28282c}.o{fill:none;stroke:#28282c}.d{fill:#e08c00}.f{fill:#dc2f36}' +
  '@media(prefers-color-scheme:dark){.m{fill:#ececf1}.o{stroke:#ececf1}.d{fill:#fbae28}.f{fill:#ff6a66}}</style>'

const dial = '<path class="m" d="M7 1.071a7 7 0 0 0 0 13.858z"/>'

/** By what is cut out of the mark, and what stands in its place; on the 16 px grid of the mark. */
const shapes: Record<FaviconState, string> = {
  healthy: `${dial}<path class="m" d="M8 1h3v1H8zM8 4h2v1H8zM8 7h7v2H8zM8 11h2v1H8zM8 14h3v1H8z"/>`,
  degraded:
    '<mask id="c"><path fill="#fff" d="M0 0h16v16H0z"/><circle cx="11" cy="11" r="5" fill="#000"/></mask>' +
    `<g mask="url(#c)">${dial}<path class="m" d="M8 1h3v1H8zM8 4h2v1H8z"/></g><circle class="d" cx="11" cy="11" r="4"/>`,
  failing:
    '<mask id="c"><path fill="#fff" d="M0 0h16v16H0z"/><path fill="#000" stroke="#000" stroke-width="2.5" d="M10.5 6 16 15.5H5z"/></mask>' +
    `<g mask="url(#c)">${dial}<path class="m" d="M8 1h3v1H8z"/></g><path class="f" d="M10.5 6 16 15.5H5z"/>`,
  disconnected:
    '<path class="o" d="M6.5 1.7a6.4 6.4 0 0 0 0 12.6z"/><path class="m" d="M8 1h3v1H8zM8 14h3v1H8z"/>',
}

/** The icon as a data URL: it must be there while the server is not. */
export function faviconUrl(state: FaviconState): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${style}${shapes[state]}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
