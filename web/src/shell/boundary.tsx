import { Component, type ReactNode } from 'react';
import { Failed } from '../parts/states.tsx';
import { texts } from '../texts.ts';

/** A file of the console did not come. A browser remembers that for as long as the page stands. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super(texts.states.partMissing, { cause });
  }
}

/** Shows what a page could not cope with in its place: the rest of the console goes on. */
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
    if (error instanceof PartMissing) return <Failed error={error} again={this.loadAnew} />;
    return <Failed error={new Error(texts.states.broken)} again={() => this.setState({ error: undefined })} />;
  }

  private readonly whenOnline = (): void => {
    if (this.state.error instanceof PartMissing) this.loadAnew();
  };

  /** Only where the service is there: the page that stands says more than that of a browser without an answer. */
  private readonly loadAnew = (): void => {
    void fetch(location.pathname, { method: 'HEAD' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    );
  };
}
