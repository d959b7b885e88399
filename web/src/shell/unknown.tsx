import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { PageHead } from '../parts/states.tsx';
import { texts } from '../texts.ts';

/** The page of unknown addresses. */
export function Unknown() {
  return (
    <>
      <PageHead title={texts.unknown.title} lead={texts.unknown.lead} />
      <Text>
        <Anchor component={Link} href="/">
          {texts.unknown.back}
        </Anchor>
      </Text>
    </>
  );
}
