/** Every key that the console keeps in the browser. Spellings without the prefix `bey-` are specified. */
export const storageKeys = {
  token: 'bey-token',
  user: 'bey-userData',
  organizationId: 'bey-organization-id',
  /** The token of an invitation whose guest is away at a provider to sign in; in the tab alone. */
  invitation: 'bey-invitation',
  selectedOrganization: 'selectedOrganization',
  lastImpersonatedUser: 'bey-last-impersonated-user',
  /** The own session of a tester who impersonates somebody, to return to. */
  impersonatorToken: 'bey-impersonator-token',
  versionInfo: 'bey-version-info',
  /** The version whose changelog each user has opened, by user id. */
  changelogSeen: 'bey-changelog-seen',
  recentPaletteItems: 'bey-recent-palette-items',
  themeMode: 'theme-mode',
  animationsEnabled: 'animations-enabled',
  denseMode: 'dense-mode',
  baseColor: 'base-color',
  accentColor: 'accent-color',
  contrast: 'contrast',
  /** CSS of a custom theme, read by `theme-boot.js` before the first paint. */
  themeTokens: 'bey-theme-tokens',
  /** Id of the user whose theme the server does not have yet. */
  themeUnsaved: 'bey-theme-unsaved',
  /** How absolute times are written, read by `theme-boot.js`. */
  timeStyle: 'bey-time-style',
  reactScan: 'bey-react-scan',
  clickToComponent: 'bey-click-to-component',
  autoHide: 'bey-auto-hide',
  workflowDebugger: 'bey-workflow-debugger',
  annotationMode: 'bey-annotation-mode',
  /** Manifests being written, by user and cluster; never one that holds a Secret. */
  manifestDrafts: 'bey-manifest-drafts',
  /** Definitions of workflows being written, by user, organization and workflow. They name secrets, and hold none. */
  workflowDrafts: 'bey-workflow-drafts',
  /** Tabs of the SQL console, by user and database: statements alone, and none that sets a password. */
  sqlTabs: 'bey-sql-tabs',
  /** Named addresses of the list of runs, by organization. */
  runViews: 'bey-run-views',
  /** How far the guide through the incident of a demo has come. */
  demoGuide: 'bey-demo-guide',
  logLevel: 'bey-log-level',
  logLines: 'bey-log-lines',
} as const

export type StorageKey = keyof typeof storageKeys

/** Text kept in the browser; where storage is forbidden it lasts as long as the page. */
export interface TextStorage {
  read: (key: StorageKey) => string | null
  write: (key: StorageKey, value: string) => void
  remove: (key: StorageKey) => void
}

export function createStorage(area: Storage | undefined): TextStorage {
  const fallback = new Map<StorageKey, string>()
  return {
    read: (key) => area?.getItem(storageKeys[key]) ?? fallback.get(key) ?? null,
    write: (key, value) => {
      try {
        if (!area) fallback.set(key, value)
        else area.setItem(storageKeys[key], value)
      } catch (error) {
        // A full or forbidden storage costs the next visit its memory, not this one its work.
        if (!(error instanceof DOMException)) throw error
        fallback.set(key, value)
      }
    },
    remove: (key) => {
      fallback.delete(key)
      area?.removeItem(storageKeys[key])
    },
  }
}

function area(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[name]
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

export const storage: TextStorage = createStorage(area('localStorage'))

/** The same for this tab alone; it outlives a reload. */
export const tabStorage: TextStorage = createStorage(area('sessionStorage'))

/** The value parsed as JSON, or `undefined` if it is absent or not JSON. */
export function readJson(from: TextStorage, key: StorageKey): unknown {
  const text = from.read(key)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
