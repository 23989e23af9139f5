import type { EChartsOption } from 'echarts';
import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import EChartsReactCore from 'echarts-for-react/esm/core';

register([BarChart, GridComponent, TooltipComponent, AriaComponent, SVGRenderer]);

/** Which bar was chosen: its series and its place in it. */
export interface ChosenBar {
  seriesIndex: number;
  dataIndex: number;
}

export interface ChartCanvasProps {
  option: EChartsOption;
  onChoose: (bar: ChosenBar) => void;
}

/** ECharts with only the parts that are used. Loaded lazily: it weighs more than a page. */
export function ChartCanvas({ option, onChoose }: ChartCanvasProps) {
  return (
    <EChartsReactCore
      echarts={echarts}
      option={option}
      notMerge
      style={{ height: '100%', width: '100%' }}
      opts={{ renderer: 'svg' }}
      onEvents={{
        click: ({ seriesIndex, dataIndex }: ChosenBar) => onChoose({ seriesIndex, dataIndex }),
      }}
    />
  );
}
