import { Component, type ReactNode } from 'react';
import { Failed } from '../parts/states.tsx';
import { t } from '../translate.ts';

/** A script of the console failed to load. A browser keeps that failure until the page is reloaded. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super(t('A part of the console could not be loaded. You may be offline, or there may be a new version.'), {
      cause,
    });
  }
}

/** How engines say that a script did not come, and the build that a style sheet did not; any other failure is one of the script itself. */
const NOT_LOADED = /module script|dynamically imported module|unable to preload css/i;

/** Throws the failure of an import of a part of the console. */
export function failPart(error: unknown): never {
  throw error instanceof Error && NOT_LOADED.test(error.message) ? new PartMissing(error) : error;
}

/** Error boundary: replaces a page that failed to render, so that the rest of the console keeps working. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidMount(): void {
    addEventListener('online', this.whenOnline);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.whenOnline);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (error instanceof PartMissing) return <Failed error={error} retry={this.loadAnew} />;
    return (
      <Failed
        error={new Error(t('This page could not be shown. If it fails again, reload the console.'))}
        retry={() => this.setState({ error: undefined })}
      />
    );
  }

  private readonly whenOnline = (): void => {
    if (this.state.error instanceof PartMissing) this.loadAnew();
  };

  /** Reloads only if the service is reachable: the current page is more helpful than the browser's error page. */
  private readonly loadAnew = (): void => {
    void fetch(location.pathname, { method: 'HEAD' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    );
  };
}
