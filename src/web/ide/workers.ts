/**
 * Lets Monaco start its workers from files beside the page. By default, Monaco wraps them in `blob:` URLs, which the page's
 * content security policy forbids.
 */
export function provideMonacoWorkers(): void {
  window.MonacoEnvironment = {
    getWorker(_moduleId, label) {
      const name = label === 'graphql' || label === 'json' ? label : 'editor';
      return new Worker(new URL(`${name}.worker.js`, document.baseURI), { type: 'module', name });
    },
  };
}
