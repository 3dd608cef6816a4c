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

  // Chunks and first replies of the page at the address, asked for while the console's own code is on its way. The
  // plan is made by the build (`build/landing-pages.ts`); the console takes the replies in `lib/asked-ahead.ts`.
  try {
    const plan = document.querySelector('meta[name="bey-landing"]')
    const token = localStorage.getItem('bey-token')
    const page =
      plan && token
        ? JSON.parse(plan.content).find(function (each) {
            return new RegExp('^' + each.path.replace(/\*/g, '[0-9]+') + '$').test(location.pathname)
          })
        : undefined
    if (page) askAhead(page, token)
  } catch (error) {
    // The console then asks itself.
    void error
  }

  function askAhead(page, token) {
    for (const chunk of page.chunks) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = '/' + chunk
      document.head.append(link)
    }
    const user = JSON.parse(localStorage.getItem('bey-userData'))
    if (!user || location.search) return
    const tabs = Number(sessionStorage.getItem('bey-organization-id'))
    const isTabs = user.organizations.some(function (each) {
      return each.id === tabs
    })
    const organizationId = String(isTabs ? tabs : user.active_organization_id)
    const numbers = location.pathname.match(/[0-9]+/g) || []
    const headers = { authorization: 'Bearer ' + token, 'x-organization-id': organizationId }
    const replies = new Map()
    for (const request of ['/api/auth/me'].concat(page.requests)) {
      const path = request.replace('*', numbers[0])
      const reply = fetch(path, { headers: headers })
      // Whoever takes the reply learns of its failure.
      reply.catch(function () {})
      replies.set(path, { token: token, organizationId: organizationId, reply: reply })
    }
    window.beyAskedAhead = replies
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
