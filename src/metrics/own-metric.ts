/** A figure with the labels that tell it from others of its metric. */
export interface Sample {
  /** Absent: that of the metric. */
  name?: string;
  labels?: Readonly<Record<string, string | number>>;
  value: number;
}

/** A metric whose figures are looked up when somebody asks for them. */
export interface OwnMetric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[] | Promise<readonly Sample[]>;
}
