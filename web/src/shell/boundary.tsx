import { Component, type ReactNode } from 'react';
import { Failed } from '../parts/states.tsx';
import { texts } from '../texts.ts';

/** Shows what a page could not cope with in its place: the rest of the console goes on. */
export class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return <Failed error={new Error(texts.states.broken)} again={() => this.setState({ isBroken: false })} />;
  }
}
