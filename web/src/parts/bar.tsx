import classes from './bar.module.css';

/** A decorative bar, next to the exact figure. @param share of the full width, from 0 to 1 */
export function Bar({ share }: { share: number }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className={classes.ground} width="100" height="8" />
      <rect className={classes.fill} width={share * 100} height="8" />
    </svg>
  );
}
