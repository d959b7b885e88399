import { Anchor, Paper } from '@mantine/core';
import { Link } from 'wouter';
import { PageHead } from '../parts/states.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { texts } from '../texts.ts';
import classes from './welcome.module.css';

/** The landing page of users who are not signed in. */
export function Welcome({ problem }: { problem: string | undefined }) {
  return (
    <div className={classes.welcome}>
      <PageHead title={texts.signIn.title} />
      <Paper withBorder p="lg" mb="md">
        <SignIn problem={problem} />
      </Paper>
      <Anchor component={Link} href="/geography">
        {texts.signIn.geography}
      </Anchor>
    </div>
  );
}
