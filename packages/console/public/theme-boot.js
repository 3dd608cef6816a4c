// Blocking and external: the policy forbids inline scripts, and the theme must stand before the first paint.
;(function () {
  try {
    const root = document.documentElement
    const mode = localStorage.getItem('theme-mode')
    const tokens = mode === 'custom' ? localStorage.getItem('bey-theme-tokens') : ''
    if (mode === 'dark') root.dataset.theme = mode
    else if (tokens) root.style.cssText = tokens
    // What cannot be shown is shown light.
    else if (mode && mode !== 'system') root.dataset.theme = 'light'
    if (localStorage.getItem('animations-enabled') === 'false') root.dataset.motion = 'off'
    if (localStorage.getItem('dense-mode') === 'true') root.dataset.density = 'dense'
    const times = localStorage.getItem('bey-time-style')
    if (times) root.dataset.times = times
    if (localStorage.getItem('bey-token')) root.dataset.session = 'stored'
    if (/(?:^|; )sidebar_state=false/.test(document.cookie)) root.dataset.sidebar = 'collapsed'
  } catch (error) {
    // Storage can be forbidden; the page then follows the operating system.
    void error
  }

  // A script that cannot be loaded, as while the server is being replaced, would leave an empty page.
  addEventListener(
    'error',
    function (event) {
      if (!(event.target instanceof HTMLScriptElement)) return
      const root = document.getElementById('root')
      if (!root) return
      root.innerHTML =
        '<p role="alert" style="margin:48px 24px;font:13px/20px system-ui,sans-serif">' +
        'Bey could not be loaded. Check that the server is running, then <a href="" style="color:inherit">reload the page</a>.</p>'
    },
    true,
  )
})()
